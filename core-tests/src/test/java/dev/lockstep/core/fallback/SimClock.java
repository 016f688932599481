package dev.lockstep.core.fallback;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;

/**
 * The clocks of one simulated machine: a little fast or slow, wrong, and with one of two faults. Either the wall clock is stepped, or the
 * monotonic one stops in suspend: nobody could notice both at the same time.
 */
final class SimClock implements LockClock {
    private final double speed;
    private final boolean stopsInSuspend;
    private double nanos;
    private double wallNanos;

    SimClock(double speed, long wallMillis, boolean stopsInSuspend) {
        this.speed = speed;
        this.stopsInSuspend = stopsInSuspend;
        nanos = Long.MAX_VALUE / 4.0;
        wallNanos = TimeUnit.MILLISECONDS.toNanos(wallMillis);
    }

    void pass(long trueNanos, boolean suspended) {
        nanos += suspended && stopsInSuspend ? 0 : trueNanos * speed;
        wallNanos += trueNanos * speed;
    }

    void stepWallClock(long millis) {
        wallNanos += stopsInSuspend ? 0 : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public long nanos() {
        return (long) nanos;
    }

    @Override
    public long millis() {
        return TimeUnit.NANOSECONDS.toMillis((long) wallNanos);
    }

    @Override
    public void park(Object blocker, long time) {
        throw new IllegalStateException("Nobody waits in the simulation");
    }
}
