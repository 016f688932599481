package dev.lockstep.redis;

import dev.lockstep.core.LockClock;
import java.time.Duration;

/** A grant that the server has recorded, and a reading of both clocks from before the last call that made its term begin. */
record GrantPromise(long token, long nanos, long millis) {
    /** Whether this part of a term has not passed yet. */
    boolean isWithin(Duration part, LockClock clock) {
        return clock.nanos() - nanos < part.toNanos() && clock.millis() - millis < part.toMillis();
    }
}
