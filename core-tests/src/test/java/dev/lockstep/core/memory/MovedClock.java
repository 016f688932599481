package dev.lockstep.core.memory;

import dev.lockstep.core.LockClock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A clock that the test moves. Who waits on it looks again when it was moved, and every millisecond. */
final class MovedClock implements LockClock {
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLong time = new AtomicLong(TimeUnit.HOURS.toNanos(1));
    private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

    @Override
    public long nanos() {
        return time.get();
    }

    @Override
    public long millis() {
        return TimeUnit.NANOSECONDS.toMillis(time.get());
    }

    @Override
    public void park(Object blocker, long nanos) {
        parked.add(Thread.currentThread());
        LockSupport.parkNanos(blocker, LOOK);
        parked.remove(Thread.currentThread());
    }

    boolean isParked(Thread thread) {
        return parked.contains(thread);
    }

    void moveTo(long nanos) {
        time.set(nanos);
        parked.forEach(LockSupport::unpark);
    }
}
