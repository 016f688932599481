package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.books.PendingCommand;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/** The queue of one stock. The first caller to find the lane idle becomes its leader; the others only queue their commands. */
final class Lane {
    /** What became of a command that was offered. */
    enum Offer {
        /** It waits for its turn. */
        QUEUED,
        /** It waits, and the caller must lead the lane. */
        LEAD,
        /** There is no room. */
        FULL,
        /** The lane is closed. */
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

    /** The next commands, in the order in which they came; at least one if there is one, and at most this many commands and this many lines. */
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

    /** Closes the lane if it is empty. */
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

    /** How long a new command will wait behind those in the queue, with this many in each transaction. */
    Duration expectedWait(int batch) {
        lock.lock();
        try {
            return Duration.ofNanos(turnNanos * (queue.size() / batch + 1L));
        } finally {
            lock.unlock();
        }
    }
}
