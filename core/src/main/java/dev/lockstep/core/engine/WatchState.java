package dev.lockstep.core.engine;

import org.jspecify.annotations.Nullable;

/**
 * What the watcher knows of a store lease: when to inspect it, how its renewal is going, and when its locks are released if it is lost. Most leases
 * end before the watcher sees them, so it is created when needed. Written under the lock of the holder's stripe, but for {@link #filedAt}.
 */
final class WatchState {
    private static final int RETRIES_PER_TERM = 10;

    /** Under which time the watcher has filed it; used by its thread alone. */
    long filedAt = DueTimes.NEVER;

    private volatile boolean underWay; // a hint for those without the lock
    private volatile boolean suspect;
    private volatile boolean slow;
    private volatile @Nullable Throwable failure;
    private long began;
    private long retryFrom;
    private long retryNanos;
    private long releaseAt;
    private volatile long releasePause;

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

    // ---- the release of what is lost

    void releaseFrom(long nanos) {
        releaseAt = nanos;
    }

    /** Has the release tried again after a pause, which doubles with each failure. */
    void releaseAgain(long now, long firstPause, long longestPause) {
        releasePause = Math.max(firstPause, Math.min(2 * releasePause, longestPause));
        releaseAt = now + releasePause;
    }

    boolean isFirstFailureToRelease() {
        return releasePause == 0;
    }

    long releaseAt() {
        return releaseAt;
    }
}
