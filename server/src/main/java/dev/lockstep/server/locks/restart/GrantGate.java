package dev.lockstep.server.locks.restart;

import dev.lockstep.core.LockClock;
import dev.lockstep.server.http.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * Says whether locks are granted: not while clients may still count on leases from before the last stop, not while the server does not hold its
 * configured name, and not while it stops.
 */
public final class GrantGate {
    private final LockClock clock;
    private final long madeAt;
    private final long closedForNanos;
    private volatile boolean closed;
    private volatile Name name = Name.HELD;

    /** How long the store said that it would grant nothing, and when; null when it has granted since. */
    private volatile @Nullable Pause pause;

    private record Pause(long since, long nanos) {}

    /** Whether this server holds its name on the store; one that needs none holds it always. */
    public enum Name {
        HELD(""),
        MISSING("This server does not hold its name on the store yet, so another one may have it."),
        TAKEN("Another server on the store has the name of this one, so clients could not reach their leases.");

        private final String reason;

        Name(String reason) {
            this.reason = reason;
        }
    }

    /** Grants nothing for this long from now on. */
    public GrantGate(LockClock clock, Duration closedFor) {
        this.clock = clock;
        madeAt = clock.nanos();
        closedForNanos = closedFor.toNanos();
    }

    /** When locks are granted again, if they aren't now. */
    public Optional<Instant> grantsFrom() {
        @Nullable Pause known = pause;
        long paused = known == null ? 0 : known.nanos() - (clock.nanos() - known.since());
        long left = Math.max(left(), paused);
        return left <= 0
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(clock.millis()).plusNanos(left));
    }

    /** The store grants nothing for this long. */
    public void paused(Duration remaining) {
        pause = new Pause(clock.nanos(), remaining.toNanos());
    }

    /** The store has granted a lock. */
    public void granted() {
        if (pause != null) { // each grant asks
            pause = null;
        }
    }

    private long left() {
        return closedForNanos - (clock.nanos() - madeAt);
    }

    public void requireOpen() {
        if (closed) {
            throw shuttingDown();
        }
        long left = left();
        if (left > 0) {
            throw startingUp(left);
        }
        Name now = name;
        if (now != Name.HELD) {
            throw now == Name.TAKEN ? nameTaken() : nameMissing();
        }
    }

    /** Whether this server holds its name, without which nothing is granted; returns whether that is new. */
    public boolean name(Name now) {
        boolean changed = name != now;
        name = now;
        return changed;
    }

    /** Why nothing is granted under this server's name; empty while it holds it. */
    public Optional<String> withoutName() {
        Name now = name;
        return now == Name.HELD ? Optional.empty() : Optional.of(now.reason);
    }

    private static Problem nameTaken() {
        return Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "node-name-taken",
                        true,
                        Name.TAKEN.reason
                                + " Nothing of the request is held. Use another server; its operator must correct lockstep.server.node.")
                .withHeader(HttpHeaders.RETRY_AFTER, "10");
    }

    private Problem nameMissing() {
        Problem problem = Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "store-unavailable",
                true,
                Name.MISSING.reason + " Nothing of the request is held. Try again, or use another server.");
        Optional<Instant> from = grantsFrom();
        from.ifPresent(at -> problem.with("grantsFrom", at.truncatedTo(ChronoUnit.MILLIS)));
        long seconds =
                from.map(at -> (at.toEpochMilli() - clock.millis()) / 1000).orElse(0L) + 1;
        return problem.withHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
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

    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }

    public static Problem shuttingDown() {
        return Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "shutting-down",
                true,
                "This server stops. Nothing of the request is held. Try again on another server, or when it is back.");
    }
}
