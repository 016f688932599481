package dev.lockstep.core.concurrent;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import org.jspecify.annotations.Nullable;

/** How a view acquires its lease. */
@FunctionalInterface
interface LeaseAcquirer {
    /**
     * Acquires the lease; null if the request's wait ended before.
     *
     * @param held a lease that the thread holds on the same key in the other mode, if any
     * @throws InterruptedException if the thread was interrupted while it waited; nothing is held, and it is no longer interrupted
     */
    @Nullable
    Lease acquire(LockRequest request, @Nullable Lease held) throws InterruptedException;

    /** The exception of the JDK for a wait that was interrupted. */
    static InterruptedException interrupted(Exception cause) {
        Thread.interrupted();
        InterruptedException exception = new InterruptedException(cause.getMessage());
        exception.initCause(cause);
        return exception;
    }
}
