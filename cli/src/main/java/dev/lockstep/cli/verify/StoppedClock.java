package dev.lockstep.cli.verify;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The clocks of a process that stands still: they show forever what they showed when this was made. */
final class StoppedClock implements LockClock {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    private final long nanos = System.nanoTime();
    private final long millis = System.currentTimeMillis();

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long millis() {
        return millis;
    }

    @Override
    public void park(Object blocker, long time) {
        LockSupport.parkNanos(blocker, PAUSE);
    }
}
