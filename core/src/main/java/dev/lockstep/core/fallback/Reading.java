package dev.lockstep.core.fallback;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;

/** A moment on both clocks: the wall clock can be set back, and the monotonic one stands still in suspend. */
record Reading(long nanos, long millis) {
    static Reading now(LockClock clock) {
        return new Reading(clock.nanos(), clock.millis());
    }

    /** Whether at most this much time has passed until then, whichever clock is asked. */
    boolean isWithin(long length, Reading then) {
        return then.nanos - nanos < length && then.millis - millis < TimeUnit.NANOSECONDS.toMillis(length);
    }
}
