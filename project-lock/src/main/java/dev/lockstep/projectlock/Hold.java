package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import dev.lockstep.projectlock.PlatformLocks.PlatformLock;
import java.time.Duration;

/**
 * A lease as its holder counts it: over when either clock has passed its end, since the wall clock can be set back and the
 * monotonic one stops while the machine is suspended.
 *
 * @param platformLock what else is held; does nothing when the lease rests on its file alone
 * @param endNanos the end on the monotonic clock
 */
record Hold(ProjectLease lease, PlatformLock platformLock, Duration term, long endNanos) {
    boolean isOver(LockClock clock) {
        return nanosLeft(clock) <= 0;
    }

    /** What is left, by the clock that is further. */
    long nanosLeft(LockClock clock) {
        long byWall = Duration.ofMillis(lease.expiresAt().toEpochMilli() - clock.millis())
                .toNanos();
        return Math.min(endNanos - clock.nanos(), byWall);
    }

    Hold renewed(ProjectLease renewed, Duration extension, long end) {
        return new Hold(renewed, platformLock, extension, end);
    }
}
