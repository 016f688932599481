package dev.lockstep.core.spi;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is made when it is first needed, once: for stores that connect at their first use. */
public final class Lazy<T> {
    private final String owner;
    private final Supplier<T> make;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable T value;
    private boolean closed;

    /** A value to be made; {@code owner} is who can't be used any more once this is closed, such as "The Redis store". */
    public Lazy(String owner, Supplier<T> make) {
        this.owner = owner;
        this.make = make;
    }

    /** The value; fails when this was closed before it was made. */
    public T get() {
        T made = value;
        return made != null ? made : make();
    }

    /** The value, if it was needed before. */
    public Optional<T> ifMade() {
        return Optional.ofNullable(value);
    }

    /** Lets no value be made any more, and does something with the one that was, if there is one. */
    public void close(Consumer<T> action) {
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
        boolean interrupted =
                Thread.interrupted(); // some clients and pools don't start, or forget it, on an interrupted thread
        lock.lock();
        try {
            T made = value;
            if (made == null) {
                if (closed) {
                    throw new LockException(ErrorCode.CLOSED, owner + " is closed.", List.of(), null);
                }
                made = make.get();
                value = made;
            }
            return made;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
