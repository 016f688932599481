package dev.lockstep.core;

import java.util.concurrent.locks.LockSupport;

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

    /** Blocks the current thread until it is unparked or interrupted or that much time has passed; may return early. */
    void park(Object blocker, long nanos);
}

enum SystemClock implements LockClock {
    INSTANCE;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public void park(Object blocker, long nanos) {
        LockSupport.parkNanos(blocker, nanos);
    }
}
