package dev.lockstep.shedlock;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockConfiguration;

/** Until when a lock is held at most and at least, on the monotonic clock: the wall clock may jump. */
record HoldTimes(Deadline atMost, Deadline atLeast) {
    static HoldTimes from(LockConfiguration configuration) {
        return new HoldTimes(in(configuration.getLockAtMostFor()), in(configuration.getLockAtLeastFor()));
    }

    private static Deadline in(Duration time) {
        return Deadline.in(time, LockClock.system());
    }
}
