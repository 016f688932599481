package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;

/** All entries whose keys have one root. */
final class LockTree extends KeyTable.Node<LockTree> {
    private static final int SMALLEST = 4;

    private final KeyTable<LockEntry> entries = new KeyTable<>(SMALLEST);

    final Shard shard;

    LockTree(Shard shard, LockKey root, int hash) {
        super(root, hash);
        this.shard = shard;
    }

    /** The entry of a key, made when there is none. */
    LockEntry obtain(LockKey key, int hash) {
        LockEntry entry = entries.find(key, hash);
        if (entry == null) {
            entry = new LockEntry(this, key, hash);
            entries.add(entry);
        }
        return entry;
    }

    KeyTable<LockEntry> entries() {
        return entries;
    }
}
