package dev.lockstep.core.fallback;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;

/** A moment on both clocks: the wall clock can be set back, and the monotonic one stands still in suspend. */
record ClockReading(long nanos, long millis) {
    static ClockReading now(LockClock clock) {
        return new ClockReading(clock.nanos(), clock.millis());
    }

    /** Whether at most this much time has passed until then, whichever clock is asked. */
    boolean isWithin(long length, ClockReading then) {
        return then.nanos - nanos < length && then.millis - millis < TimeUnit.NANOSECONDS.toMillis(length);
    }
}
