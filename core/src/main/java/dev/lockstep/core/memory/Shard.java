package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** A part of the lock table under one lock: a hash table that grows and shrinks with what is held. */
final class Shard {
    private static final int SMALLEST = 16;

    final ReentrantLock lock = new ReentrantLock();
    private LockEntry[] buckets = new LockEntry[SMALLEST];
    private int size;

    /** The entry of a key, made when there is none. */
    LockEntry obtain(LockKey key) {
        int index = index(key, buckets.length);
        for (LockEntry entry = buckets[index]; entry != null; entry = entry.nextInBucket) {
            if (entry.key.equals(key)) {
                return entry;
            }
        }
        LockEntry added = new LockEntry(key);
        added.nextInBucket = buckets[index];
        buckets[index] = added;
        if (++size > buckets.length) {
            resize(buckets.length * 2);
        }
        return added;
    }

    void dropIfUnused(LockEntry entry) {
        if (!entry.isUnused()) {
            return;
        }
        int index = index(entry.key, buckets.length);
        LockEntry before = null;
        for (LockEntry each = buckets[index]; each != entry; each = each.nextInBucket) {
            if (each == null) {
                return; // dropped before
            }
            before = each;
        }
        if (before == null) {
            buckets[index] = entry.nextInBucket;
        } else {
            before.nextInBucket = entry.nextInBucket;
        }
        if (--size < buckets.length / 8 && buckets.length > SMALLEST) {
            resize(buckets.length / 2);
        }
    }

    private void resize(int length) {
        LockEntry[] resized = new LockEntry[length];
        forEach(entry -> {
            int index = index(entry.key, length);
            entry.nextInBucket = resized[index];
            resized[index] = entry;
        });
        buckets = resized;
    }

    private static int index(LockKey key, int length) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (length - 1);
    }

    void forEach(Consumer<LockEntry> action) {
        for (LockEntry head : buckets) {
            for (LockEntry entry = head; entry != null; ) {
                LockEntry following = entry.nextInBucket;
                action.accept(entry);
                entry = following;
            }
        }
    }

    int size() {
        return size;
    }
}
