package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import java.util.function.BiConsumer;
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

    /** Calls with each holder of the key and its mode. */
    abstract void forEachHolding(BiConsumer<Claim, LockMode> action);
}
