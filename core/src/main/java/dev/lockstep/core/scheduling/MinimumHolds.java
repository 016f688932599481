package dev.lockstep.core.scheduling;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases leases when their minimum time has passed. One thread for each clock waits for that, while there are any; a few others release, so that a
 * store that doesn't respond delays no release in another one.
 */
final class MinimumHolds {
    private static final Logger LOG = LoggerFactory.getLogger(Once.class);
    private static final int RELEASERS = 4;
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Map<LockClock, MinimumHolds> RUNNING = new HashMap<>();
    private static final ThreadPoolExecutor RELEASES = releases();

    private record Hold(Deadline until, Lease lease) implements Comparable<Hold> {
        @Override
        public int compareTo(Hold other) {
            return Long.signum(until.nanos() - other.until.nanos()); // nanoseconds overflow
        }
    }

    private final LockClock clock;
    private final PriorityQueue<Hold> holds = new PriorityQueue<>();
    private final Thread thread = thread(this::run, "lockstep-hold");

    private MinimumHolds(LockClock clock) {
        this.clock = clock;
    }

    private static ThreadPoolExecutor releases() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                RELEASERS,
                RELEASERS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> thread(task, "lockstep-hold-release"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    static void releaseAt(Deadline until, Lease lease, LockClock clock) {
        LOCK.lock();
        try {
            MinimumHolds running = RUNNING.get(clock);
            if (running == null) {
                running = new MinimumHolds(clock);
                running.thread.start();
                RUNNING.put(clock, running);
            }
            running.holds.add(new Hold(until, lease));
            LockSupport.unpark(running.thread);
        } finally {
            LOCK.unlock();
        }
    }

    private void run() {
        for (Hold next = next(); next != null; next = next()) {
            if (next.until.passed()) {
                end(next);
            } else {
                clock.park(this, next.until.remainingNanos());
            }
        }
    }

    /** The hold that ends first; null when there is none, and then this thread has ended. */
    private @Nullable Hold next() {
        LOCK.lock();
        try {
            Hold first = holds.peek();
            if (first == null) {
                RUNNING.remove(clock, this);
            }
            return first;
        } finally {
            LOCK.unlock();
        }
    }

    private void end(Hold hold) {
        LOCK.lock();
        try {
            holds.remove(hold);
        } finally {
            LOCK.unlock();
        }
        try {
            RELEASES.execute(() -> release(hold.lease));
        } catch (Throwable noThread) {
            release(hold.lease);
        }
    }

    private static void release(Lease lease) {
        try {
            lease.close();
        } catch (Throwable e) {
            LOG.warn("{} was not released after its minimum time; it ends with its term", lease, e);
        }
    }
}
