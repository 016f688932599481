package dev.lockstep.core.scheduling;

import dev.lockstep.core.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the current thread runs a task under its lock: one of {@link Once}, or a method whose annotation acquired the locks. For the first line of a
 * task that must not run without them, because a call that bypasses a proxy takes no locks and fails nowhere.
 */
public final class LockCheck {
    private static final ThreadLocal<Held> CURRENT = new ThreadLocal<>();

    private record Held(@Nullable Lease lease) {}

    private LockCheck() {}

    /**
     * Does nothing if the current thread runs a task under its lock.
     *
     * @throws IllegalStateException if it doesn't
     * @throws dev.lockstep.core.LeaseLostException if the lock was lost
     */
    public static void requireLocked() {
        Held held = CURRENT.get();
        if (held == null) {
            throw new IllegalStateException(
                    "This task runs without its lock. Nothing is held. Call it through Locks.once or, with an annotation,"
                            + " on the bean and not on 'this'; in a test, within LockCheck.pretendLocked.");
        }
        if (held.lease != null) {
            held.lease.ensureHeld();
        }
    }

    /** From now on, until the scope is closed, this thread counts as one that runs a task under its lock: for tests of the task alone. Locks nothing. */
    public static Scope pretendLocked() {
        return new Scope(new Held(null));
    }

    /** Says that this thread runs a task whose locks are held by this lease, until the scope is closed: for code that acquires locks on behalf of a task. */
    public static Scope locked(Lease lease) {
        return new Scope(new Held(lease));
    }

    /** The time in which a thread runs a task. To be closed by the thread that opened it, the last one first. */
    public static final class Scope implements AutoCloseable {
        private final @Nullable Held before = CURRENT.get();

        private Scope(Held held) {
            CURRENT.set(held);
        }

        /** Ends it. */
        @Override
        public void close() {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }
}
