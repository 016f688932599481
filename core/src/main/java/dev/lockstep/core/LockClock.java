package dev.lockstep.core;

import dev.lockstep.core.internal.SystemClock;

/**
 * Both clocks of a machine, and the way to wait on them. The wall clock can jump; the monotonic one stops while the
 * machine is suspended. Tests use a clock that they move.
 */
public interface LockClock {
    /** The machine's clocks. */
    static LockClock system() {
        return SystemClock.INSTANCE;
    }

    /** Nanoseconds of the monotonic clock, from an arbitrary origin. */
    long nanos();

    /** Milliseconds of the wall clock since 1970. */
    long millis();

    /**
     * Milliseconds of the wall clock for a reading of the monotonic one that was just taken. May be a millisecond old, so that it seldom reads the wall
     * clock: for the start of a term, never for its end.
     */
    default long recentMillis(long nanos) {
        return millis();
    }

    /** Blocks the current thread until it is unparked or interrupted or that much time has passed; may return early. */
    void park(Object blocker, long nanos);
}
