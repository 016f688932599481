package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import dev.lockstep.projectlock.PlatformLocks.PlatformLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lease as its holder counts it: over when either clock has passed its end, since the wall clock can be set back and the
 * monotonic one stops while the machine is suspended. Once seen to have ended it stays so, though the wall clock be set back:
 * another holder may have the project by then.
 *
 * @param platformLock what else is held; does nothing when the lease rests on its file alone
 * @param endNanos the end on the monotonic clock
 * @param seenOver whether it was seen to have ended
 */
record HeldProject(
        ProjectLease lease, PlatformLock platformLock, Duration term, long endNanos, AtomicBoolean seenOver) {
    HeldProject(ProjectLease lease, PlatformLock platformLock, Duration term, long endNanos) {
        this(lease, platformLock, term, endNanos, new AtomicBoolean());
    }

    boolean isOver(LockClock clock) {
        if (nanosLeft(clock) <= 0) {
            seenOver.set(true);
        }
        return seenOver.get();
    }

    /** What is left, by the clock that is further. */
    long nanosLeft(LockClock clock) {
        long byWall = TimeUnit.MILLISECONDS.toNanos(lease.expiresAt().toEpochMilli() - clock.millis());
        return Math.min(endNanos - clock.nanos(), byWall);
    }

    /**
     * The same for a time from now. It never ends earlier than before. Where the wall clock was set back, and so says that more is left
     * than the term, what is left by the monotonic clock counts from the wall clock's new time.
     */
    HeldProject extended(Duration extension, LockClock clock) {
        long end = clock.nanos() + extension.toNanos();
        long now = clock.millis();
        long before = lease.expiresAt().toEpochMilli();
        boolean wasSetBack = before - now > term.toMillis();
        if (wasSetBack) {
            before = now + TimeUnit.NANOSECONDS.toMillis(endNanos - clock.nanos());
        }
        long expiresAt = Math.max(before, now + extension.toMillis());
        return new HeldProject(
                lease.until(expiresAt),
                platformLock,
                Duration.ofMillis(expiresAt - now),
                endNanos - end > 0 ? endNanos : end,
                seenOver);
    }
}
