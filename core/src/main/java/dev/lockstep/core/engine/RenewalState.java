package dev.lockstep.core.engine;

import org.jspecify.annotations.Nullable;

/**
 * How the renewal of a store lease is going. Most leases end before they need one, so it is created with the first. Written under the lock of the
 * holder's stripe.
 */
final class RenewalState {
    private static final int RETRIES_PER_TERM = 10;

    private volatile boolean underWay; // a hint for those without the lock
    private volatile boolean suspect;
    private volatile boolean slow;
    private volatile @Nullable Throwable failure;
    private long began;
    private long retryFrom;
    private long retryNanos;

    void begin(long now) {
        began = now;
        underWay = true;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** Whether one is under way that began no later than this. */
    boolean isUnderWaySince(long nanos) {
        return underWay && began - nanos <= 0;
    }

    /** Whether the watcher may have inspected the lease, at the time at which it expected it to be due again, while it was being renewed. */
    boolean isInspectedBefore(long nanos, LeaseTerm term) {
        return underWay && nanos - inspectAt(began, term) >= 0;
    }

    void confirmed() {
        failure = null;
        retryNanos = 0;
        underWay = false;
    }

    void failed(Throwable error, long now, LeaseTerm term) {
        failure = error;
        retryNanos = term.rule().nanos() / RETRIES_PER_TERM;
        retryFrom = now;
        underWay = false;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /** When there is next something to do for the lease. */
    long dueNanos(LeaseTerm term) {
        if (underWay) {
            return term.safeNanos();
        }
        if (retryNanos == 0 || !term.renews()) {
            return term.dueNanos();
        }
        long retryAt = retryFrom + retryNanos;
        return retryAt - term.safeNanos() < 0 ? retryAt : term.safeNanos();
    }

    /** When the watcher should inspect the lease next: while it is renewed, when it will be due again if that succeeds. */
    long inspectAt(long now, LeaseTerm term) {
        if (!underWay) {
            return dueNanos(term);
        }
        long dueAgain = term.extended(began, 0, term.rule().nanos()).dueNanos();
        return dueAgain - now > 0 && dueAgain - term.safeNanos() < 0 ? dueAgain : term.safeNanos();
    }

    /** Whether a renewal of this lease alone takes long, or took long and failed. */
    boolean isSuspect() {
        return suspect;
    }

    void suspect() {
        suspect = true;
    }

    /** Whether the last renewal of this lease alone took long, and succeeded. */
    boolean isSlow() {
        return slow;
    }

    void respondedAlone(boolean late) {
        slow = late;
        suspect = false;
    }
}
