package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is made when it is first needed, once. */
final class Lazy<T> {
    private final Supplier<T> make;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable T value;
    private boolean closed;

    Lazy(Supplier<T> make) {
        this.make = make;
    }

    T get() {
        T made = value;
        return made != null ? made : make();
    }

    /** Lets no value be made any more, and does something with the one that was, if there is one. */
    void close(Consumer<T> action) {
        lock.lock();
        try {
            closed = true;
            T made = value;
            if (made != null) {
                action.accept(made);
            }
        } finally {
            lock.unlock();
        }
    }

    private T make() {
        lock.lock();
        try {
            T made = value;
            if (made == null) {
                if (closed) {
                    throw new LockException(ErrorCode.CLOSED, "The store on the database is closed.", List.of(), null);
                }
                made = make.get();
                value = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }
}
