package dev.lockstep.core;

import java.util.concurrent.Callable;

/** Finds the current thread's holder. That is all threads are used for: ownership is the holder's. */
final class Holders {
    private final LeaseBook book;
    private final ThreadLocal<Holder> current;

    Holders(LeaseBook book) {
        this.book = book;
        current = ThreadLocal.withInitial(book::newHolder);
    }

    Holder current() {
        return current.get();
    }

    Holder fresh() {
        return book.newHolder();
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
