package dev.lockstep.core.internal;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The machine's clocks. */
public final class SystemClock implements LockClock {
    public static final SystemClock INSTANCE = new SystemClock();
    private static final long RECENT = TimeUnit.MILLISECONDS.toNanos(1);

    /** A reading of both clocks, the wall clock first. */
    private record Reading(long millis, long nanos) {
        static Reading now() {
            long millis = System.currentTimeMillis();
            return new Reading(millis, System.nanoTime());
        }

        boolean isRecentAt(long time) {
            long age = time - nanos;
            return age >= 0 && age < RECENT;
        }
    }

    private volatile Reading last = Reading.now();

    private SystemClock() {}

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public long recentMillis(long nanos) {
        Reading reading = last;
        if (!reading.isRecentAt(nanos)) {
            reading = Reading.now();
            last = reading;
        }
        return reading.millis;
    }

    @Override
    public void park(Object blocker, long nanos) {
        LockSupport.parkNanos(blocker, nanos);
    }
}
