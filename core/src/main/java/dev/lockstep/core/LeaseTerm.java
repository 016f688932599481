package dev.lockstep.core;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a lease can be counted on, by the holder's own clocks: until either of them has passed the end, because the wall
 * clock can be set back and the monotonic one stops while the machine is suspended. The end lies a margin before the store's,
 * and is counted from before the store was asked.
 */
final class LeaseTerm {
    /** One part in so many is left to clocks that run at different speeds. */
    private static final int MARGIN = 100;

    private static final int RENEWALS_PER_TERM = 3;
    private static final int RETRIES_PER_TERM = 10;
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    private final LockClock clock;
    private final long nanos;
    private final boolean renews;
    private final long longest;
    private long startNanos;
    private long startMillis;
    private long capNanos;
    private long dueNanos;
    private long storeNanos;
    private volatile long safeNanos;
    private volatile long safeMillis;

    LeaseTerm(LockClock clock, Duration term, boolean renews, @Nullable Duration longestHold) {
        this.clock = clock;
        this.renews = renews;
        longest = longestHold == null ? ENDLESS : longestHold.toNanos();
        nanos = Math.min(term.toNanos(), longest);
        markStart();
    }

    /** Says that the store is about to be asked. */
    void markStart() {
        startNanos = clock.nanos();
        startMillis = clock.millis();
    }

    /** Says that the store granted what it was asked for at the mark. */
    void granted() {
        capNanos = startNanos + longest;
        extend(startNanos, startMillis, nanos);
    }

    /** Says that the store was asked, at this reading of both clocks, to let the lease last so long, and did. */
    void extend(long fromNanos, long fromMillis, long length) {
        long safe = length - length / MARGIN;
        dueNanos = fromNanos + length / RENEWALS_PER_TERM;
        storeNanos = fromNanos + length;
        safeNanos = earlier(fromNanos + safe, capNanos);
        safeMillis = fromMillis + TimeUnit.NANOSECONDS.toMillis(safe);
        if (isCapped() || !renews) {
            dueNanos = safeNanos;
        }
    }

    /** Says that a renewal failed and should be tried again soon. */
    void retryLater(long now) {
        dueNanos = earlier(now + nanos / RETRIES_PER_TERM, safeNanos);
    }

    boolean isOver() {
        return clock.nanos() - safeNanos >= 0 || clock.millis() >= safeMillis;
    }

    /** Whether the longest hold, and not the term, ends it. */
    boolean isCapped() {
        return safeNanos == capNanos;
    }

    /** Whether a renewal should be under way at this time. */
    boolean isDue(long now) {
        return renews && !isCapped() && now - dueNanos >= 0;
    }

    /** When there is next something to do: a renewal, or noticing the end. */
    long dueNanos() {
        return dueNanos;
    }

    long safeNanos() {
        return safeNanos;
    }

    /** When the store, too, will have ended the lease. */
    long storeNanos() {
        return storeNanos;
    }

    /** How long to ask the store for at this time: as wanted, within the longest hold. */
    long capped(long wanted, long now) {
        return Math.max(1, Math.min(wanted, capNanos - now));
    }

    long nanos() {
        return nanos;
    }

    long startNanos() {
        return startNanos;
    }

    boolean renews() {
        return renews;
    }

    Instant safeUntil() {
        return Instant.ofEpochMilli(safeMillis);
    }

    private static long earlier(long one, long other) {
        return one - other <= 0 ? one : other;
    }
}
