package dev.lockstep.inventory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/** The queue of one stock. Whoever finds nobody at work there leads; the others only leave their work. */
final class Lane {
    /** What became of a work that was offered. */
    enum Offer {
        /** It waits for its turn. */
        QUEUED,
        /** It waits, and the caller must see to the queue. */
        LEAD,
        /** There is no room. */
        FULL,
        /** The lane was given up. */
        CLOSED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<PendingCommand> queue = new ArrayDeque<>();
    private final Object name;
    private final int most;
    private volatile long turnNanos;
    private boolean led;
    private boolean closed;

    Lane(Object name, int most) {
        this.name = name;
        this.most = most;
    }

    Object name() {
        return name;
    }

    Offer offer(PendingCommand work) {
        lock.lock();
        try {
            if (closed) {
                return Offer.CLOSED;
            }
            if (queue.size() >= most) {
                return Offer.FULL;
            }
            queue.add(work);
            boolean leads = !led;
            led = true;
            return leads ? Offer.LEAD : Offer.QUEUED;
        } finally {
            lock.unlock();
        }
    }

    /** The next works, in the order in which they came; at least one if there is one, and else no more than so many and so many lines. */
    List<PendingCommand> next(int works, int lines) {
        lock.lock();
        try {
            List<PendingCommand> next = new ArrayList<>(Math.min(works, queue.size()));
            int taken = 0;
            while (next.size() < works && !queue.isEmpty()) {
                taken += queue.element().lines().size();
                if (!next.isEmpty() && taken > lines) {
                    break;
                }
                next.add(queue.remove());
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the lane up if nobody waits in it. */
    boolean closeIfEmpty() {
        lock.lock();
        try {
            closed = queue.isEmpty();
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Notes how long a transaction took; the last ones count most. */
    void took(long nanos) {
        turnNanos = turnNanos == 0 ? nanos : (3 * turnNanos + nanos) / 4;
    }

    /** How long a transaction takes. */
    long turnNanos() {
        return turnNanos;
    }

    int size() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** How long those who wait now will keep a newcomer waiting, with so many in each transaction. */
    Duration expectedWait(int batch) {
        lock.lock();
        try {
            return Duration.ofNanos(turnNanos * (queue.size() / batch + 1L));
        } finally {
            lock.unlock();
        }
    }
}
