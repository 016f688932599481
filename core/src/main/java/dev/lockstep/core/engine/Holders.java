package dev.lockstep.core.engine;

import java.util.concurrent.Callable;

/** Finds the current thread's holder. That is all threads are used for: ownership is the holder's. */
final class Holders {
    private final HolderTable holderTable;
    private final ThreadLocal<Holder> current;

    Holders(HolderTable holderTable) {
        this.holderTable = holderTable;
        current = ThreadLocal.withInitial(holderTable::newHolder);
    }

    Holder current() {
        return current.get();
    }

    /** The holder of a request that belongs to no thread; inside a bound task, a child of the same lease. */
    Holder detached() {
        return current.get().child().orElseGet(holderTable::newHolder);
    }

    /** A holder for a new request: this one, unless it has ended while others still use locks that it acquired. */
    Holder usable(Holder holder) {
        holder.requireParentHeld();
        if (!holder.hasEnded()) {
            return holder;
        }
        Holder next = holder.sibling().orElseGet(holderTable::newHolder);
        if (current.get() == holder) {
            current.set(next);
        }
        return next;
    }

    void runAs(Holder holder, Runnable task) {
        Holder before = current.get();
        current.set(holder);
        try {
            task.run();
        } finally {
            current.set(before);
        }
    }

    <T> T callAs(Holder holder, Callable<T> task) throws Exception {
        Holder before = current.get();
        current.set(holder);
        try {
            return task.call();
        } finally {
            current.set(before);
        }
    }
}
