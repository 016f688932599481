package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.internal.BriefLock;
import java.util.function.Consumer;

/** A part of the lock table under one lock: some of the trees, while anything in them is held or waited for. */
final class Shard extends BriefLock {
    private static final int SMALLEST = 16;

    private final KeyTable<LockTree> trees = new KeyTable<>(SMALLEST);

    /** The tree of a root, made when there is none. */
    LockTree obtain(LockKey root, int hash) {
        LockTree tree = trees.find(root, hash);
        if (tree == null) {
            tree = new LockTree(this, root, hash);
            trees.add(tree);
        }
        return tree;
    }

    /** Forgets an entry that nobody holds or waits for. */
    void dropIfUnused(LockEntry entry) {
        if (entry.isUnused()) {
            LockTree tree = entry.tree;
            tree.entries().remove(entry);
            if (tree.entries().isEmpty()) {
                trees.remove(tree);
            }
        }
    }

    void forEach(Consumer<LockEntry> action) {
        trees.forEach(tree -> tree.entries().forEach(action));
    }
}
