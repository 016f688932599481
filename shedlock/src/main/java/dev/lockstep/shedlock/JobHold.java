package dev.lockstep.shedlock;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease that a timer releases. Extended locks hand it on, so at most one lock at a time uses it. */
final class JobHold {
    private static final Logger LOG = LoggerFactory.getLogger(JobHold.class);

    private final Lease lease;
    private final ScheduledReleases releases;
    private volatile @Nullable Future<?> release; // ShedLock may unlock on another thread

    JobHold(Lease lease, ScheduledReleases releases) {
        this.lease = lease;
        this.releases = releases;
    }

    /** Holds it for at most the most time. */
    void holdFor(HoldTimes times) {
        releaseAt(times.atMost());
    }

    /** Holds it for other times, if it is still held and the current most time has not passed. */
    boolean extend(HoldTimes current, HoldTimes next, Duration least) {
        if (current.atMost().passed()) {
            lease.release();
        }
        if (!lease.isHeld()) {
            return false;
        }
        holdFor(next);
        try {
            LockstepLockProvider.keepInStore(lease, least);
        } catch (LockException e) {
            LOG.warn("{} could not be extended in the store; it is held as long as it is renewed", lease.keys(), e);
        }
        return lease.isHeld();
    }

    /** Releases it, or has it released once the least time has passed. */
    void unlock(HoldTimes times) {
        Deadline end = times.atLeast().orEarlier(times.atMost());
        if (!end.passed() && lease.isHeld()) {
            releaseAt(end);
            return;
        }
        cancelRelease();
        if (lease.release() == ReleaseOutcome.LOST) {
            LOG.warn("{} was lost before it was unlocked: another process may have run the same work", lease.keys());
        }
    }

    private void releaseAt(Deadline time) {
        cancelRelease();
        release = releases.at(time, lease::release);
    }

    private void cancelRelease() {
        Future<?> scheduled = release;
        if (scheduled != null) {
            scheduled.cancel(false);
        }
    }
}
