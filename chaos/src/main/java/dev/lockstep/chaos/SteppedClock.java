package dev.lockstep.chaos;

import dev.lockstep.core.LockClock;
import java.util.concurrent.atomic.AtomicLong;

/** The machine's clocks, with a wall clock that can be stepped. Threads of the locks that wake up late are recorded. */
final class SteppedClock implements LockClock {
    private static final String THREADS_OF_LOCKS = "lockstep-";

    private final History history;
    private final AtomicLong offMillis = new AtomicLong();

    SteppedClock(History history) {
        this.history = history;
    }

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
        long start = nanos();
        LockClock.system().park(blocker, nanos);
        if (Thread.currentThread().getName().startsWith(THREADS_OF_LOCKS)) {
            StallDetector.late(history, start, start + nanos);
        }
    }
}
