package dev.lockstep.inventory;

import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock on which a pause takes no time: it leaps to the end of it. Else only the test moves it. */
final class LeapingClock implements LockClock {
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long millis() {
        return Duration.ofNanos(nanos.get()).toMillis();
    }

    @Override
    public void park(Object blocker, long time) {
        nanos.addAndGet(time);
    }

    void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** The time since this clock was created. */
    Duration elapsed() {
        return Duration.ofNanos(nanos.get());
    }
}
