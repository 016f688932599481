package dev.lockstep.core.memory;

import dev.lockstep.core.LockClock;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does for requests without a thread what a waiting thread does for itself: look after the wait when its time comes. */
final class AsyncWaits {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncWaits.class);
    private static final long NEVER = Long.MAX_VALUE;
    private static final long PAUSE_AFTER_ERROR = TimeUnit.MILLISECONDS.toNanos(100);

    private final LockClock clock;
    private final long origin;
    private final ToLongFunction<Claim> tend;
    private final Consumer<Claim> onEnd;
    private final Set<Claim> claims = ConcurrentHashMap.newKeySet();
    private final ReentrantLock starting = new ReentrantLock();
    private @Nullable Thread thread;
    private final AtomicLong wakeAt = new AtomicLong(NEVER);
    private volatile boolean closed;

    /** {@code tend} looks after one claim and answers for how many nanoseconds, at most a few seconds, it can be left alone. */
    AsyncWaits(LockClock clock, ToLongFunction<Claim> tend, Consumer<Claim> onEnd) {
        this.clock = clock;
        origin = clock.nanos();
        this.tend = tend;
        this.onEnd = onEnd;
    }

    void add(Claim claim) {
        claims.add(claim);
        wakeBy(now() + tend.applyAsLong(claim));
    }

    private long now() {
        return clock.nanos() - origin;
    }

    /** The time says when to wake up, not the unpark alone: a permit can be used up on the way. */
    private void wakeBy(long due) {
        Thread running = started(); // first: a time that no thread knows of would keep later ones from starting it
        if (due < wakeAt.get() && wakeAt.accumulateAndGet(due, Math::min) == due) {
            LockSupport.unpark(running);
        }
    }

    private Thread started() {
        starting.lock();
        try {
            if (thread == null) {
                Thread started = new Thread(this::run, "lockstep-memory-waits");
                started.setDaemon(true);
                started.start();
                thread = started;
            }
            return thread;
        } finally {
            starting.unlock();
        }
    }

    private void run() {
        while (!closed || !claims.isEmpty()) {
            try {
                wakeAt.set(NEVER);
                long next = tendAll();
                long until = wakeAt.accumulateAndGet(next, Math::min);
                long nap = until == NEVER ? NEVER : until - now();
                if (nap > 0 && !closed) {
                    clock.park(this, nap);
                }
            } catch (Throwable e) { // without this thread, waits would never end
                LOG.error("The wait for locks continues after an error", e);
                clock.park(this, PAUSE_AFTER_ERROR);
            }
        }
    }

    private long tendAll() {
        long next = NEVER;
        for (Iterator<Claim> all = claims.iterator(); all.hasNext(); ) {
            Claim claim = all.next();
            long alone = tend.applyAsLong(claim);
            if (claim.isAnswered()) {
                all.remove();
                onEnd.accept(claim);
            } else {
                next = Math.min(next, now() + alone);
            }
        }
        return next;
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
