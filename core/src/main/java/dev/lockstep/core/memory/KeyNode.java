package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import org.jspecify.annotations.Nullable;

/** What stands for a key in a {@link KeyTable}: its entry or, as long as only one claim wants the key, that claim. */
abstract class KeyNode {
    final int hash;

    @Nullable
    KeyNode nextInBucket;

    KeyNode(int hash) {
        this.hash = hash;
    }

    abstract LockKey key();
}
