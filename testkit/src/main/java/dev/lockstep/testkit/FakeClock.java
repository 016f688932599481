package dev.lockstep.testkit;

import dev.lockstep.core.LockClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Both clocks of a machine, moved by the test and by nothing else. Every move wakes the threads that are parked on it.
 *
 * <p>The monotonic clock starts shortly before its numbers overflow, because real ones may, too.
 */
public final class FakeClock implements LockClock {
    /**
     * A thread reads the clock, works out how long to park, and only then parks: a move in between would be missed. So a thread
     * is parked for this long of real time at most, and looks at the clock again.
     */
    private static final long LONGEST_PARK = TimeUnit.MILLISECONDS.toNanos(10);

    private final AtomicLong monotonic = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(7));
    private final AtomicLong wallNanos = new AtomicLong(
            TimeUnit.SECONDS.toNanos(Instant.parse("2026-01-01T00:00:00Z").getEpochSecond()));
    private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

    /** A clock that shows the beginning of 2026. */
    public FakeClock() {}

    @Override
    public long nanos() {
        return monotonic.get();
    }

    @Override
    public long millis() {
        return Math.floorDiv(wallNanos.get(), 1_000_000L);
    }

    /** What the wall clock shows. */
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    /** Lets time pass on both clocks. */
    public void advance(Duration time) {
        requireForward(time);
        wallNanos.addAndGet(time.toNanos());
        monotonic.addAndGet(time.toNanos());
        wakeAll();
    }

    /** Lets time pass on the monotonic clock alone, as if the wall clock were set back at the same moment. */
    public void advanceMonotonic(Duration time) {
        requireForward(time);
        monotonic.addAndGet(time.toNanos());
        wakeAll();
    }

    /** Sets the wall clock forward or, with a negative duration, back. */
    public void jumpWallClock(Duration time) {
        wallNanos.addAndGet(time.toNanos());
        wakeAll();
    }

    /** Suspends the machine: the wall clock continues, the monotonic one stands still. */
    public void suspend(Duration time) {
        requireForward(time);
        jumpWallClock(time);
    }

    private static void requireForward(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(
                    "Time can't pass by " + time + ". To set a clock back, use jumpWallClock.");
        }
    }

    private void wakeAll() {
        parked.forEach(LockSupport::unpark);
    }

    /** How many threads are parked on this clock now. */
    public int parked() {
        return parked.size();
    }

    @Override
    public void park(Object blocker, long nanos) {
        long end = nanos() + nanos;
        Thread current = Thread.currentThread();
        parked.add(current);
        try {
            if (end - nanos() > 0) {
                LockSupport.parkNanos(blocker, LONGEST_PARK);
            }
        } finally {
            parked.remove(current);
        }
    }

    @Override
    public String toString() {
        return "FakeClock at " + instant() + ", " + nanos() + " ns";
    }
}
