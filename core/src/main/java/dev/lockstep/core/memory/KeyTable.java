package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hash table of nodes by key that grows and shrinks with what is in it. The nodes are their own links. */
final class KeyTable<N extends KeyTable.Node<N>> {
    private final int smallest;
    private Node<N>[] buckets;
    private int size;

    /** Something with a key. */
    abstract static class Node<N extends Node<N>> {
        final LockKey key;
        private final int hash;

        @Nullable
        N nextInBucket;

        /** The hash is the key's; given, so that the key itself needn't be fetched from memory. */
        Node(LockKey key, int hash) {
            this.key = key;
            this.hash = hash;
        }
    }

    KeyTable(int smallest) {
        this.smallest = smallest;
        buckets = newBuckets(smallest);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <N extends Node<N>> Node<N>[] newBuckets(int length) {
        return new Node[length];
    }

    @SuppressWarnings("unchecked") // a node of N is an N
    private @Nullable N head(int index) {
        return (N) buckets[index];
    }

    @Nullable
    N find(LockKey key, int hash) {
        for (N node = head(index(hash, buckets.length)); node != null; node = node.nextInBucket) {
            if (hashOf(node) == hash && node.key.equals(key)) {
                return node;
            }
        }
        return null;
    }

    /** Adds a node whose key is not in the table. */
    void add(N node) {
        if (size == buckets.length) {
            resize(buckets.length * 2);
        }
        link(node);
        size++;
    }

    private void link(N node) {
        int index = index(hashOf(node), buckets.length);
        node.nextInBucket = head(index);
        buckets[index] = node;
    }

    /** Removes a node that is in the table. */
    void remove(N node) {
        int index = index(hashOf(node), buckets.length);
        N first = head(index);
        if (first == node) {
            buckets[index] = node.nextInBucket;
        } else {
            for (N each = first; each != null; each = each.nextInBucket) {
                if (each.nextInBucket == node) {
                    each.nextInBucket = node.nextInBucket;
                }
            }
        }
        if (--size < buckets.length / 8 && buckets.length > smallest) {
            resize(buckets.length / 2);
        }
    }

    private void resize(int length) {
        Node<N>[] before = buckets;
        buckets = newBuckets(length);
        forEach(before, this::link);
    }

    void forEach(Consumer<N> action) {
        forEach(buckets, action);
    }

    @SuppressWarnings("unchecked")
    private static <N extends Node<N>> void forEach(Node<N>[] buckets, Consumer<N> action) {
        for (Node<N> head : buckets) {
            for (N node = (N) head; node != null; ) {
                N following = node.nextInBucket;
                action.accept(node);
                node = following;
            }
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    private int hashOf(Node<N> node) {
        return node.hash;
    }

    private static int index(int hash, int length) {
        return (hash ^ (hash >>> 16)) & (length - 1);
    }
}
