package dev.lockstep.core.scheduling;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Releases leases when their minimum time has passed: one thread for each clock, while there are any. */
final class HoldTimer {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Map<LockClock, HoldTimer> TIMERS = new HashMap<>();

    private record Hold(Deadline until, Lease lease) implements Comparable<Hold> {
        @Override
        public int compareTo(Hold other) {
            return Long.signum(until.nanos() - other.until.nanos()); // nanoseconds overflow
        }
    }

    private final LockClock clock;
    private final PriorityQueue<Hold> holds = new PriorityQueue<>();
    private final Thread thread = new Thread(this::run, "lockstep-hold");

    private HoldTimer(LockClock clock) {
        this.clock = clock;
        thread.setDaemon(true);
    }

    static void releaseAt(Deadline until, Lease lease, LockClock clock) {
        LOCK.lock();
        try {
            HoldTimer timer = TIMERS.get(clock);
            if (timer == null) {
                timer = new HoldTimer(clock);
                timer.thread.start();
                TIMERS.put(clock, timer);
            }
            timer.holds.add(new Hold(until, lease));
            LockSupport.unpark(timer.thread);
        } finally {
            LOCK.unlock();
        }
    }

    private void run() {
        for (Hold next = next(); next != null; next = next()) {
            if (next.until.passed()) {
                release(next);
            } else {
                clock.park(this, next.until.remainingNanos());
            }
        }
    }

    /** The hold that ends first; null when there is none, and then the timer has ended. */
    private @Nullable Hold next() {
        LOCK.lock();
        try {
            Hold first = holds.peek();
            if (first == null) {
                TIMERS.remove(clock, this);
            }
            return first;
        } finally {
            LOCK.unlock();
        }
    }

    private void release(Hold hold) {
        LOCK.lock();
        try {
            holds.remove(hold);
        } finally {
            LOCK.unlock();
        }
        hold.lease.close();
    }
}
