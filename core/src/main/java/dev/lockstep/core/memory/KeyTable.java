package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hash table of nodes by key that grows and shrinks with what is in it. The nodes are their own links. */
final class KeyTable {
    private static final int SMALLEST = 16;

    private @Nullable KeyNode[] buckets = new KeyNode[SMALLEST];
    private int size;

    /** The hash is the key's; given, so that the key itself needn't be fetched from memory. */
    @Nullable
    KeyNode find(LockKey key, int hash) {
        for (KeyNode node = buckets[index(hash)]; node != null; node = node.nextInBucket) {
            if (node.hash == hash && node.key().equals(key)) {
                return node;
            }
        }
        return null;
    }

    /** Adds a node whose key is not in the table. */
    void add(KeyNode node) {
        if (size == buckets.length) {
            resize(buckets.length * 2);
        }
        link(node);
        size++;
    }

    private void link(KeyNode node) {
        int index = index(node.hash);
        node.nextInBucket = buckets[index];
        buckets[index] = node;
    }

    /** Removes a node that is in the table. */
    void remove(KeyNode node) {
        unlink(node);
        if (--size < buckets.length / 8 && buckets.length > SMALLEST) {
            resize(buckets.length / 2);
        }
    }

    private void unlink(KeyNode node) {
        int index = index(node.hash);
        KeyNode first = buckets[index];
        if (first == node) {
            buckets[index] = node.nextInBucket;
        } else {
            for (KeyNode each = first; each != null; each = each.nextInBucket) {
                if (each.nextInBucket == node) {
                    each.nextInBucket = node.nextInBucket;
                    break;
                }
            }
        }
        node.nextInBucket = null; // or a lease that is kept by its user would keep others
    }

    /** Puts another node with the same key in the place of one that is in the table. Allocates nothing. */
    void replace(KeyNode node, KeyNode other) {
        unlink(node);
        link(other);
    }

    /** Calls nothing that could fail half-way, on a stack that is used up: a key that is missing would be granted twice. */
    private void resize(int length) {
        @Nullable KeyNode[] before = buckets;
        @Nullable KeyNode[] after = new KeyNode[length];
        for (int i = 0; i < before.length; i++) {
            for (KeyNode node = before[i]; node != null; ) {
                KeyNode following = node.nextInBucket;
                int index = (node.hash ^ (node.hash >>> 16)) & (length - 1);
                node.nextInBucket = after[index];
                after[index] = node;
                node = following;
            }
        }
        buckets = after;
    }

    void forEach(Consumer<KeyNode> action) {
        for (KeyNode head : buckets) {
            for (KeyNode node = head; node != null; ) {
                KeyNode following = node.nextInBucket;
                action.accept(node);
                node = following;
            }
        }
    }

    private int index(int hash) {
        return (hash ^ (hash >>> 16)) & (buckets.length - 1);
    }
}
