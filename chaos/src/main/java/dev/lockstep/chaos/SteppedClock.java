package dev.lockstep.chaos;

import dev.lockstep.core.LockClock;
import java.util.concurrent.atomic.AtomicLong;

/** The machine's clocks, with a wall clock that jumps when it is told to. */
final class SteppedClock implements LockClock {
    private final AtomicLong offMillis = new AtomicLong();

    void step(long millis) {
        offMillis.addAndGet(millis);
    }

    @Override
    public long nanos() {
        return LockClock.system().nanos();
    }

    @Override
    public long millis() {
        return LockClock.system().millis() + offMillis.get();
    }

    @Override
    public void park(Object blocker, long nanos) {
        LockClock.system().park(blocker, nanos);
    }
}
