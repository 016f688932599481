package dev.lockstep.core;

import dev.lockstep.core.leadership.Candidacy;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.core.scheduling.Once;
import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Acquires locks on a store, always in one global order.
 *
 * <p>{@code acquire} waits, and throws if the wait times out; {@code tryAcquire} returns {@link Granted} or {@link Busy}; {@code run} and
 * {@code call} hold the locks while a lambda runs; {@code acquireAsync} returns a future. Whatever they throw, nothing of the request is held.
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
     * Acquires the locks, and waits for them if necessary; without {@link LockRequest#within} for the default time.
     *
     * @throws LockTimeoutException if the locks could not be acquired in time
     * @throws OrderViolationException if it is nested in another request and violates the lock order
     * @throws DeadlockException if it was chosen to fail in order to end a deadlock
     * @throws InvalidRequestException if the request exceeds a limit, or its kinds contradict those that are known
     * @throws LeaseLostException if an outer lease, or the lease that the running task is bound to, has ended
     * @throws LockException if the thread was interrupted while it waited (and stays interrupted), the store failed, or these locks are closed
     */
    Lease acquire(LockRequest request);

    /**
     * Acquires the locks if they are free; waits only if {@link LockRequest#within} says for how long.
     *
     * @throws LockException for the reasons of {@link #acquire}, except that a timeout is returned as {@link Busy}
     */
    Attempt tryAcquire(LockRequest request);

    /**
     * Acquires the locks without blocking this thread. The lease belongs to no thread; use {@link Lease#bind} or {@link Lease#acquire} where
     * requests inside it should count as nested. Cancelling the future removes the request from every queue.
     *
     * <p>What is attached to the future before it completes runs on a thread of a small pool and must not block; use the Async methods with your own
     * executor for that. Locks that are free in memory are acquired immediately, and the returned future is complete: what is attached
     * then runs on the thread that attaches it.
     *
     * @return completes with the lease, or exceptionally for the reasons of {@link #acquire}
     * @throws InvalidRequestException if the request is invalid or uses {@link LockRequest#interruptOnLoss}
     * @throws OrderViolationException if it is nested in another request and violates the lock order
     */
    CompletableFuture<Lease> acquireAsync(LockRequest request);

    /**
     * Runs a task while holding the locks.
     *
     * @throws LeaseLostException if the locks were lost before the task ended, even if the task succeeded
     * @throws LockException for the reasons of {@link #acquire}; the task was not run
     * @throws X what the task throws
     */
    <X extends Exception> void run(LockRequest request, LeaseTask<X> task) throws X;

    /**
     * Calls a function while holding the locks, and returns its result.
     *
     * @throws LeaseLostException if the locks were lost before the function ended, even if it succeeded
     * @throws LockException for the reasons of {@link #acquire}; the function was not called
     * @throws X what the function throws
     */
    <T, X extends Exception> T call(LockRequest request, LeaseFunction<T, X> task) throws X;

    /**
     * Permits of a key: at most this many are held at a time. The number is recorded in the store at the first use, and is the same for all processes
     * until {@link Permits#resize} changes it.
     *
     * @throws InvalidRequestException if the number is not between 1 and {@link Permits#MOST}, or another one is recorded; nothing is held
     * @throws LockException if the store can't be reached
     * @throws UnsupportedOperationException if these locks have no permits, or their store can't record the number
     */
    default Permits permits(LockKey key, int count) {
        throw new UnsupportedOperationException("Locks on '" + storeName() + "' have no permits. Nothing is held.");
    }

    /** A candidate for the leadership of a key: of all candidates one at most leads at a time. {@link Candidacy#start} stands for election. */
    default Candidacy leadership(LockKey key) {
        return Candidacy.of(this, key);
    }

    /**
     * Runs a task that several nodes start at about the same time on one of them, and holds the key at least this long; see {@link Once}. The others
     * skip it.
     *
     * @return whether it ran here
     * @throws LeaseLostException if the lock was lost before the task ended, even if the task succeeded
     * @throws InvalidRequestException if the time is negative, or longer than the longest hold or the longest term of the store; the task was not run
     * @throws LockException for the reasons of {@link #tryAcquire}; the task was not run
     * @throws X what the task throws
     */
    default <X extends Exception> boolean once(LockKey key, Duration atLeast, LeaseTask<X> task) throws X {
        return Once.run(this, LockRequest.exclusive(key).withoutWaiting(), atLeast, task);
    }

    /** The clocks that leases are judged by. */
    default LockClock clock() {
        return LockClock.system();
    }

    /**
     * The current holders and waiters, as the store sees them.
     *
     * @throws LockException if the store can't be reached
     */
    LockSnapshot snapshot();

    /** The kind of store that they are on, as leases and events name it, such as {@code memory}. */
    String storeName();

    /** How much these locks hold and wait for now; no store is asked. */
    LockFigures figures();

    /**
     * Which kinds were requested while which others were held, with the lines of code: to compare with the report of the check while compiling, and, under
     * {@link OrderPolicy#WARN}, to find the kinds that are nested in both orders.
     */
    default ObservedOrder observedOrder() {
        return ObservedOrder.NOTHING;
    }

    /**
     * Sends all events from now on to a listener, until the subscription is closed.
     *
     * @throws LockException if these locks are closed
     */
    Subscription subscribe(LockListener listener);

    /**
     * Refuses new requests, ends those that wait, and ends leases that are still held as lost, so that their work stops. Their locks are
     * released when the holder closes the lease, or by the store when the term ends: never while the work may still run. The store is closed once
     * that has happened, in the background if it must be. Does nothing when called again.
     */
    @Override
    default void close() {
        close(Duration.ZERO);
    }

    /**
     * The same, but first gives leases that are held this much time to be closed by their holders. New requests are refused and waiting ones
     * end at once. An interrupt ends the wait, and the thread stays interrupted.
     */
    void close(Duration drain);

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
