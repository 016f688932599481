package dev.lockstep.core;

import dev.lockstep.core.fallback.FallbackState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Something that happened to a request or a lease. Listeners, meters and the live stripe all read this one stream. */
public sealed interface LockEvent {
    /** When it happened, by this machine's wall clock. */
    Instant at();

    /** What most events are about. */
    record Subject(UUID leaseId, String owner, List<LockKey> keys, String store) {}

    /** The locks were acquired. */
    record Acquired(Instant at, Subject subject, FencingToken token, Duration waited) implements LockEvent {}

    /** The locks were unavailable, and the request doesn't wait. */
    record Refused(Instant at, Subject subject, Busy busy) implements LockEvent {}

    /** The wait ended without the locks. */
    record TimedOut(Instant at, Subject subject, Busy busy, Duration waited) implements LockEvent {}

    /** The request ended with an error or was cancelled. */
    record AcquireFailed(Instant at, Subject subject, Throwable error, Duration waited) implements LockEvent {}

    /** A nested request went against the order. */
    record OrderViolated(Instant at, OrderViolation violation, OrderPolicy policy) implements LockEvent {}

    /** A cycle of waits was found and ended. */
    record Deadlocked(Instant at, Subject subject, DeadlockReport report) implements LockEvent {}

    /**
     * A lease was extended.
     *
     * @param lag how long after it was due the store confirmed it, failed attempts included; zero when it came before, as by hand
     */
    record Renewed(Instant at, Subject subject, Instant expiresAt, Duration lag) implements LockEvent {}

    /** A lease could not be extended this time; it is tried again while there is time. */
    record RenewalFailed(Instant at, Subject subject, Throwable error) implements LockEvent {}

    /** A lease was lost. */
    record Lost(Instant at, Subject subject, Loss loss) implements LockEvent {}

    /**
     * A lease was closed by its holder. Published before the store releases the locks, so before the next holder's {@link Acquired}; if the store then
     * no longer knows the lease, {@link Lost} follows.
     */
    record Released(Instant at, Subject subject, ReleaseOutcome outcome, Duration held) implements LockEvent {}

    /** The store failed to take the locks back; they end with their term at the latest. */
    record ReleaseFailed(Instant at, Subject subject, Throwable error) implements LockEvent {}

    /** Another store of a pair takes over; see {@link FallbackState} for when it grants. */
    record Switched(Instant at, FallbackState state, String reason) implements LockEvent {}

    /** The store that took over grants locks from now on: everything that the other one granted has ended. */
    record SwitchCompleted(Instant at, FallbackState state) implements LockEvent {}

    /** The secondary of a pair, which says whose turn it is, can't be reached; the state says whether locks are granted all the same. */
    record SecondaryLost(Instant at, FallbackState state, String reason) implements LockEvent {}

    /** The secondary of a pair can be reached again. */
    record SecondaryFound(Instant at, FallbackState state) implements LockEvent {}

    /** A listener was too slow, and missed this many events since the last such notice. */
    record Dropped(Instant at, long count) implements LockEvent {}
}
