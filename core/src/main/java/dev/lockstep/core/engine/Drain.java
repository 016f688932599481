package dev.lockstep.core.engine;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits until leases were closed by their holders. */
final class Drain {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    private Drain() {}

    /** Returns when the condition is met, after this much time, or when the thread is interrupted, which it stays. */
    static void await(Duration longest, LockClock clock, BooleanSupplier done) {
        Deadline deadline = Deadline.in(longest, clock);
        while (!deadline.passed()
                && !done.getAsBoolean()
                && !Thread.currentThread().isInterrupted()) {
            clock.park(deadline, Math.min(PAUSE, deadline.remainingNanos()));
        }
    }
}
