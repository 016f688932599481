package dev.lockstep.core.engine;

import dev.lockstep.core.LockClock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * How long a lease can be counted on, by the holder's own clocks: until either of them has passed the end, because the wall
 * clock can be set back and the monotonic one stops while the machine is suspended. The end lies a margin before the store's,
 * and is counted from before the store was asked.
 */
class LeaseTerm {
    /** This fraction of a term is left to clocks that run at different speeds. */
    private static final int MARGIN = 100;

    private static final int RENEWALS_PER_TERM = 3;

    /** Renewals are due at whole ticks, so that those of many leases fall together. */
    private static final int TICKS_PER_TERM = 30;

    private final TermRule rule;
    private final long fromNanos;
    private final long fromMillis;

    private LeaseTerm(TermRule rule, long fromNanos, long fromMillis) {
        this.rule = rule;
        this.fromNanos = fromNanos;
        this.fromMillis = fromMillis;
    }

    /** A term that was extended; most leases end before that, and so need less memory. */
    private static final class Extended extends LeaseTerm {
        private final long length;
        private final long capNanos;

        Extended(TermRule rule, long fromNanos, long fromMillis, long length, long capNanos) {
            super(rule, fromNanos, fromMillis);
            this.length = length;
            this.capNanos = capNanos;
        }

        @Override
        long length() {
            return length;
        }

        @Override
        long capNanos() {
            return capNanos;
        }
    }

    long length() {
        return rule.nanos();
    }

    /** When the longest hold ends. */
    long capNanos() {
        return fromNanos + rule.longestNanos();
    }

    /** The term of a lease that the store is about to be asked for. */
    static LeaseTerm startingNow(TermRule rule, LockClock clock) {
        long nanos = clock.nanos();
        return startingAt(rule, nanos, clock.recentMillis(nanos));
    }

    /** The term of a lease that the store was asked for at this reading of both clocks. */
    static LeaseTerm startingAt(TermRule rule, long nanos, long millis) {
        return new LeaseTerm(rule, nanos, millis);
    }

    /** The term after the store has extended the lease by this long, on a request made at this reading of both clocks. */
    LeaseTerm extended(long nanos, long millis, long extension) {
        return new Extended(rule, nanos, millis, extension, capNanos());
    }

    /** How long to ask the store for at this time: as wanted, no less than is left, within the longest hold. */
    long toAskFor(long wanted, long now) {
        long atLeastWhatIsLeft = Math.max(wanted, storeNanos() - now);
        return Math.max(1, Math.min(atLeastWhatIsLeft, withMargin(capNanos() - now)));
    }

    /** How long to ask the store for, so that this much is left after the margin is subtracted. */
    static long withMargin(long safe) {
        return safe / (MARGIN - 1) * MARGIN + MARGIN;
    }

    boolean hasExpired(LockClock clock) {
        return clock.nanos() - safeNanos() >= 0 || clock.millis() >= safeMillis();
    }

    /** The same, with a wall clock reading that may be a millisecond old: where the store's response decides, too. */
    boolean hasExpiredByRecentReading(LockClock clock) {
        long nanos = clock.nanos();
        return nanos - safeNanos() >= 0 || clock.recentMillis(nanos) >= safeMillis();
    }

    /** Whether the longest hold, and not the term, ends it. */
    boolean isCapped() {
        return fromNanos + safeLength() - capNanos() >= 0;
    }

    /** When the lease was granted, in nanoseconds of the clock. */
    long heldFrom() {
        return capNanos() - rule.longestNanos();
    }

    boolean renews() {
        return rule.renews() && !isCapped();
    }

    TermRule rule() {
        return rule;
    }

    long fromNanos() {
        return fromNanos;
    }

    /** When there is next something to do: a renewal, or noticing the end. */
    long dueNanos() {
        return renews() ? wholeTick(fromNanos + length() / RENEWALS_PER_TERM) : safeNanos();
    }

    /** The same without the rounding, which takes a division. */
    long dueAboutNanos() {
        return renews() ? fromNanos + length() / RENEWALS_PER_TERM : safeNanos();
    }

    private long wholeTick(long nanos) {
        return nanos - Math.floorMod(nanos, Math.max(1, length() / TICKS_PER_TERM));
    }

    long safeNanos() {
        return isCapped() ? capNanos() : fromNanos + safeLength();
    }

    private long safeMillis() {
        return fromMillis + TimeUnit.NANOSECONDS.toMillis(safeNanos() - fromNanos);
    }

    private long safeLength() {
        return length() - length() / MARGIN;
    }

    /** When the store, too, will have ended the lease. */
    long storeNanos() {
        return fromNanos + length();
    }

    Instant safeUntil() {
        return Instant.ofEpochMilli(safeMillis());
    }
}
