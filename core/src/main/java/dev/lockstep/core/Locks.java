package dev.lockstep.core;

import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import java.util.concurrent.CompletableFuture;

/**
 * Takes locks on a store, always in one global order.
 *
 * <p>The verbs: {@code acquire} waits and throws when the wait is over; {@code tryAcquire} answers {@link Granted} or
 * {@link Busy}; {@code run} and {@code call} hold the locks around a lambda; {@code acquireAsync} answers with a future. All of
 * them throw an {@link OrderViolationException} for a nested request against the order, a {@link DeadlockException} for a
 * request that was failed to end a deadlock, and a {@link LockException} when the store fails. Whatever they throw, nothing of
 * the request is held.
 */
public interface Locks extends AutoCloseable {
    /** Locks on a store, with the defaults of {@link LocksBuilder}. Closing them closes the store. */
    static Locks on(LockStore store) {
        return builder(store).build();
    }

    /** Locks inside this process. */
    static Locks inMemory() {
        return on(MemoryStore.create());
    }

    /** Locks on a store, with options. */
    static LocksBuilder builder(LockStore store) {
        return new LocksBuilder(store);
    }

    /**
     * Takes the locks, waiting if it must; without {@link LockRequest#within} for the default time. Throws a
     * {@link LockTimeoutException} when the time is over. An interrupt ends the wait with a {@link LockException}, and the thread
     * stays interrupted.
     */
    Lease acquire(LockRequest request);

    /** Takes the locks if it can; waits only as long as {@link LockRequest#within} says, and without it not at all. */
    Attempt tryAcquire(LockRequest request);

    /**
     * Takes the locks without blocking this thread. The lease belongs to no thread; use {@link Lease#bind} where requests inside
     * it should count as nested. Cancelling the future takes the request out of every queue. What is attached to the future
     * before it is complete runs on a thread of a small pool and must not block; use the Async methods with an executor of
     * your own for that. Locks that are free in memory are had at once, and the future is complete when it is returned: what is
     * attached then runs on the thread that attaches it, on its stack and as part of what it holds.
     */
    CompletableFuture<Lease> acquireAsync(LockRequest request);

    /** Holds the locks around a task. Throws a {@link LeaseLostException} when they were lost before the task ended. */
    <X extends Exception> void run(LockRequest request, LeaseTask<X> task) throws X;

    /** Holds the locks around a task. Throws a {@link LeaseLostException} when they were lost before the task ended. */
    <T, X extends Exception> T call(LockRequest request, LeaseFunction<T, X> task) throws X;

    /** Who holds and who waits now, as the store sees it. */
    LockSnapshot snapshot();

    /** The kind of store that they are on, as leases and events name it, such as {@code memory}. */
    String storeName();

    /** How much these locks hold and wait for now; no store is asked. */
    LockFigures figures();

    /** Tells a listener of everything from now on, until the answer is closed. */
    Subscription subscribe(LockListener listener);

    /** Ends waiting requests, gives back what is still held, and closes the store. */
    @Override
    void close();

    /** A task that works under a lease. */
    @FunctionalInterface
    interface LeaseTask<X extends Exception> {
        /** Does the work. */
        void run(Lease lease) throws X;
    }

    /** A task that works under a lease and has a result. */
    @FunctionalInterface
    interface LeaseFunction<T, X extends Exception> {
        /** Does the work. */
        T call(Lease lease) throws X;
    }

    /** A listener's place in the stream of events. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        /** Ends it. */
        @Override
        void close();
    }
}
