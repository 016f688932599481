package dev.lockstep.core.spi;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What a store is asked to take, and for whom. */
public interface StoreRequest {
    /** The lease's id, made by the client, unique everywhere. */
    UUID leaseId();

    /** Who asks, for people to read. */
    String owner();

    /** Whose locks they will be: the same number for all requests of one holder in this process. */
    long holder();

    /** The locks, merged and sorted; never empty. */
    LockPlan plan();

    /** Whether the request waits at all; if not, it fails at once if any lock is unavailable. */
    boolean waits();

    /** When the wait has ended. */
    Deadline deadline();

    /** How long the lease lasts from the grant on, unless renewed. */
    Duration term();

    /**
     * Marks now as the moment from which the holder counts the term. It was marked before the acquire; a store that waits marks
     * again before each call that may grant, so that a long wait doesn't use up the term.
     */
    void markStart();

    /**
     * Marks an earlier moment: readings of both of {@link #clock}'s clocks from before a call that granted was sent. For a store that
     * may answer a waiting request with another request's call.
     */
    void markStart(long nanos, long millis);

    /** The moment that was marked last, in nanoseconds of {@link #clock}. */
    long startNanos();

    /** The holder's clocks. */
    LockClock clock();

    /** Whether the wait was cancelled; it then ends as if its time had ended. */
    boolean isCancelled();

    /** The grants that the same holder had when it asked: they stay as long as this request waits. */
    List<StoreGrant> outer();

    /** Whether the holder has stopped counting on the lease: it then ends with its term, and no request waits longer for it. */
    boolean isOver();

    /** To be called on the asking thread when the request has to wait for more than a moment, so that the call site is recorded. */
    void contended();

    /** The line of code that asked, when it was recorded. */
    Optional<CallSite> callSite();
}
