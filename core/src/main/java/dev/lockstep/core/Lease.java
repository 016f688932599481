package dev.lockstep.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Locks that are held for a limited time. A lease can be lost before it is closed, and try-with-resources hides that: {@link #close} returns nothing.
 * {@link Locks#run} and {@link Locks#call} throw a {@link LeaseLostException} instead; otherwise check {@link #ensureHeld} before each write, or the
 * result of {@link #release}.
 *
 * <p>A lease that was requested without a term is renewed in the background until it is closed. If a renewal can't be confirmed in time, the
 * lease is lost: its holder is notified before the store grants the locks to another holder. All methods may be called on any thread.
 */
public interface Lease extends AutoCloseable {
    /** Names this lease and no other, in any process. */
    UUID id();

    /** Rises with every grant of a key; see {@link FencingToken}. */
    FencingToken token();

    /** The requested keys. */
    List<LockKey> keys();

    /** Who holds it, for people to read. */
    String owner();

    /** The kind of store that granted it, such as {@code memory}. */
    String source();

    /** When it expires unless it is renewed. */
    Instant expiresAt();

    /** Whether the locks are held now, judged by the clocks of this machine alone. */
    boolean isHeld();

    /**
     * Does nothing if {@link #isHeld}.
     *
     * @throws LeaseLostException if the lease was lost or closed
     */
    void ensureHeld();

    /**
     * Extends the lease to a full term from now on.
     *
     * @throws LeaseLostException if the lease was lost or closed
     * @throws LockException if the store can't be reached; the lease lasts as long as it did before
     */
    void renew();

    /**
     * Extends the lease to at least this long from now on.
     *
     * @throws LeaseLostException if the lease was lost or closed
     * @throws InvalidRequestException if the term is not positive
     * @throws LockException if the store can't be reached; the lease lasts as long as it did before
     */
    void renew(Duration term);

    /**
     * Turns the exclusive locks of this lease into shared ones if the store can, so that other holders may share them. The lease keeps its term and
     * its token. There is no way back: close the lease and acquire the locks again.
     *
     * @return {@link LockMode#SHARED} if all its locks are shared now; {@link LockMode#EXCLUSIVE} if they stay as they were, because the store can't
     *     change them, a nested lease uses them, or an outer lease holds some of them
     * @throws LeaseLostException if the lease was lost or closed
     * @throws LockException if the store can't be reached; the locks may then be shared or exclusive
     */
    LockMode downgrade();

    /**
     * Completes when the lease is lost before it was closed, and never otherwise. What is attached runs on a thread of a small
     * pool and must not block.
     */
    CompletionStage<Loss> lost();

    /**
     * Returns a task that runs, on any thread, as a child of this lease: what the lease holds is not acquired again, and what the task
     * acquires must follow it in the lock order. Tasks bound to one lease exclude each other as other holders do; the code that holds the lease
     * is not excluded from what the lease itself holds.
     *
     * <p>Running the task after this lease has ended throws a {@link LeaseLostException}, and so do its requests once the lease has
     * ended.
     */
    Runnable bind(Runnable task);

    /** The same for a task with a result. */
    <T> Callable<T> bind(Callable<T> task);

    /**
     * Acquires more locks as a child of this lease, as a {@linkplain #bind bound task} does: for code that runs on many threads.
     *
     * @throws LeaseLostException if this lease has ended; nothing was acquired
     * @throws LockException for the reasons of {@link Locks#acquire}
     */
    Lease acquire(LockRequest request);

    /**
     * The same as {@link Locks#tryAcquire}, as a child of this lease.
     *
     * @throws LeaseLostException if this lease has ended; nothing was acquired
     * @throws LockException for the reasons of {@link Locks#tryAcquire}
     */
    Attempt tryAcquire(LockRequest request);

    /**
     * The same as {@link Locks#acquireAsync}, as a child of this lease.
     *
     * @throws LeaseLostException if this lease has ended; nothing was acquired
     */
    CompletableFuture<Lease> acquireAsync(LockRequest request);

    /**
     * Releases the locks, and returns whether they were held until now. Calling it again does nothing and returns the same, once the first call has
     * ended. It never throws: a store that can't be reached is reported as an event and in the log.
     */
    ReleaseOutcome release();

    /** The same as {@link #release} for try-with-resources, without its result. */
    @Override
    default void close() {
        release();
    }
}
