package dev.lockstep.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/**
 * What a caller holds: some locks, for a time. Close it when the work is done; it may be closed, renewed and asked from any
 * thread.
 *
 * <p>A lease that was asked for without a term is renewed in the background until it is closed. When a renewal can't be
 * confirmed in time, the lease is lost: the holder stops counting on it before the store gives the locks to someone else.
 */
public interface Lease extends AutoCloseable {
    /** Names this lease and no other, in any process. */
    UUID id();

    /** Rises with every grant; see {@link FencingToken}. */
    FencingToken token();

    /** The keys that were asked for. */
    List<LockKey> keys();

    /** Who holds it, for people to read. */
    String owner();

    /** The kind of store that granted it, such as {@code memory}. */
    String source();

    /** Until when it can be counted on, unless it is renewed before. */
    Instant expiresAt();

    /** Whether the locks can be counted on now, judged by this machine's clocks alone. */
    boolean isHeld();

    /** Throws a {@link LeaseLostException} unless {@link #isHeld}. */
    void ensureHeld();

    /** Asks the store for a full term from now on; throws a {@link LeaseLostException} when it is too late. */
    void renew();

    /** Asks the store for at least this long from now on; throws a {@link LeaseLostException} when it is too late. */
    void renew(Duration term);

    /**
     * Completes when the lease is lost before it was closed, and never otherwise. What is attached runs on a thread of a small
     * pool and must not block.
     */
    CompletionStage<Loss> lost();

    /**
     * A task that runs, on any thread, as part of this lease's holder, so that requests inside it count as nested. All tasks
     * bound to one lease are one holder: what one of them has locked doesn't exclude the others.
     */
    Runnable bind(Runnable task);

    /** The same for a task with a result. */
    <T> Callable<T> bind(Callable<T> task);

    /**
     * Gives the locks back, if they are still this lease's own, and answers whether they were until now. Calling it again does
     * nothing and answers the same, once the first call is through. It never throws: a store that can't be reached is reported as an event and in the log.
     */
    ReleaseOutcome release();

    /** The same as {@link #release}, for try-with-resources, which can't take an answer. */
    @Override
    default void close() {
        release();
    }
}
