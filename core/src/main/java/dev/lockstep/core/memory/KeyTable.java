package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hash table of entries by key that grows and shrinks with what is in it. The entries are their own links. */
final class KeyTable {
    private static final int SMALLEST = 16;

    private @Nullable LockEntry[] buckets = new LockEntry[SMALLEST];
    private int size;

    /** The hash is the key's; given, so that the key itself needn't be fetched from memory. */
    @Nullable
    LockEntry find(LockKey key, int hash) {
        for (LockEntry entry = buckets[index(hash)]; entry != null; entry = entry.nextInBucket) {
            if (entry.hash == hash && entry.key.equals(key)) {
                return entry;
            }
        }
        return null;
    }

    /** Adds an entry whose key is not in the table. */
    void add(LockEntry entry) {
        if (size == buckets.length) {
            resize(buckets.length * 2);
        }
        link(entry);
        size++;
    }

    private void link(LockEntry entry) {
        int index = index(entry.hash);
        entry.nextInBucket = buckets[index];
        buckets[index] = entry;
    }

    /** Removes an entry that is in the table. */
    void remove(LockEntry entry) {
        int index = index(entry.hash);
        LockEntry first = buckets[index];
        if (first == entry) {
            buckets[index] = entry.nextInBucket;
        } else {
            for (LockEntry each = first; each != null; each = each.nextInBucket) {
                if (each.nextInBucket == entry) {
                    each.nextInBucket = entry.nextInBucket;
                }
            }
        }
        if (--size < buckets.length / 8 && buckets.length > SMALLEST) {
            resize(buckets.length / 2);
        }
    }

    private void resize(int length) {
        @Nullable LockEntry[] before = buckets;
        buckets = new LockEntry[length];
        forEach(before, this::link);
    }

    void forEach(Consumer<LockEntry> action) {
        forEach(buckets, action);
    }

    private static void forEach(@Nullable LockEntry[] buckets, Consumer<LockEntry> action) {
        for (LockEntry head : buckets) {
            for (LockEntry entry = head; entry != null; ) {
                LockEntry following = entry.nextInBucket;
                action.accept(entry);
                entry = following;
            }
        }
    }

    private int index(int hash) {
        return (hash ^ (hash >>> 16)) & (buckets.length - 1);
    }
}
