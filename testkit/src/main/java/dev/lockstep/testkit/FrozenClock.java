package dev.lockstep.testkit;

import dev.lockstep.core.LockClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A clock that shows forever what another one showed when this one was made. */
final class FrozenClock implements LockClock {
    private final long nanos;
    private final long millis;

    FrozenClock(LockClock other) {
        nanos = other.nanos();
        millis = other.millis();
    }

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
        LockSupport.parkNanos(blocker, TimeUnit.MILLISECONDS.toNanos(10));
    }
}
