package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The machine's clocks, ahead by as much as a test says: several processes can be moved by the same time. */
final class ShiftedClock implements LockClock {
    private final AtomicLong aheadMillis = new AtomicLong();

    void advance(Duration time) {
        aheadMillis.addAndGet(time.toMillis());
    }

    @Override
    public long nanos() {
        return System.nanoTime() + Duration.ofMillis(aheadMillis.get()).toNanos();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis() + aheadMillis.get();
    }

    @Override
    public void park(Object blocker, long nanos) {
        LockClock.system().park(blocker, nanos);
    }
}
