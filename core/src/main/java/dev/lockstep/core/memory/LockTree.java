package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;

/** All entries whose keys have one root. */
final class LockTree extends KeyTable.Node<LockTree> {
    private static final int SMALLEST = 8;

    private final KeyTable<LockEntry> entries = new KeyTable<>(SMALLEST);

    LockTree(LockKey root) {
        super(root);
    }

    /** The entry of a key, made when there is none. */
    LockEntry obtain(LockKey key) {
        LockEntry entry = entries.find(key);
        if (entry == null) {
            entry = new LockEntry(this, key);
            entries.add(entry);
        }
        return entry;
    }

    KeyTable<LockEntry> entries() {
        return entries;
    }
}
