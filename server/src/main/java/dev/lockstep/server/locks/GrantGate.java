package dev.lockstep.server.locks;

import dev.lockstep.core.LockClock;
import dev.lockstep.server.http.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** Says whether locks are granted: not while clients may still count on leases from before the last stop, and not while the server stops. */
final class GrantGate {
    private final LockClock clock;
    private final long madeAt;
    private final long closedForNanos;
    private volatile boolean closed;
    private volatile boolean nameTaken;

    /** How long the store said that it would grant nothing, and when; null when it has granted since. */
    private volatile @Nullable Pause pause;

    private record Pause(long since, long nanos) {}

    /** Grants nothing for this long from now on. */
    GrantGate(LockClock clock, Duration closedFor) {
        this.clock = clock;
        madeAt = clock.nanos();
        closedForNanos = closedFor.toNanos();
    }

    /** When locks are granted again, if they aren't now. */
    Optional<Instant> grantsFrom() {
        @Nullable Pause known = pause;
        long paused = known == null ? 0 : known.nanos() - (clock.nanos() - known.since());
        long left = Math.max(left(), paused);
        return left <= 0
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(clock.millis()).plusNanos(left));
    }

    /** The store grants nothing for this long. */
    void paused(Duration remaining) {
        pause = new Pause(clock.nanos(), remaining.toNanos());
    }

    /** The store has granted a lock. */
    void granted() {
        if (pause != null) { // each grant asks
            pause = null;
        }
    }

    private long left() {
        return closedForNanos - (clock.nanos() - madeAt);
    }

    void requireOpen() {
        if (closed) {
            throw shuttingDown();
        }
        long left = left();
        if (left > 0) {
            throw startingUp(left);
        }
        if (nameTaken) {
            throw Problem.of(
                            HttpStatus.SERVICE_UNAVAILABLE,
                            "node-name-taken",
                            true,
                            "Another server on the store has the name of this one, so clients could not reach their leases. Nothing of the"
                                    + " request is held. Use another server; its operator must correct lockstep.server.node.")
                    .withHeader(HttpHeaders.RETRY_AFTER, "10");
        }
    }

    /** Whether another server has this one's name, so that nothing may be granted; returns whether that is new. */
    boolean nameTaken(boolean taken) {
        boolean changed = nameTaken != taken;
        nameTaken = taken;
        return changed;
    }

    private static Problem startingUp(long left) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(left) + 1;
        Problem problem = Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "starting-up",
                true,
                "This server keeps locks in memory, and clients may still count on leases from before its last stop."
                        + " It grants none for another " + seconds + " s. Try again then.");
        problem.getHeaders().set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        return problem;
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    static Problem shuttingDown() {
        return Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "shutting-down",
                true,
                "This server stops. Nothing of the request is held. Try again on another server, or when it is back.");
    }
}
