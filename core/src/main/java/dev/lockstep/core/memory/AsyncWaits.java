package dev.lockstep.core.memory;

import dev.lockstep.core.LockClock;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Does for requests without a thread what a waiting thread does for itself: look after the wait when its time comes. */
final class AsyncWaits {
    private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

    private final LockClock clock;
    private final ToLongFunction<Claim> tend;
    private final Consumer<Claim> onEnd;
    private final Set<Claim> claims = ConcurrentHashMap.newKeySet();
    private final ReentrantLock starting = new ReentrantLock();
    private @Nullable Thread thread;
    private volatile long wakeAt;
    private volatile boolean closed;

    /** {@code tend} looks after one claim and answers for how many nanoseconds, at most a few seconds, it can be left alone. */
    AsyncWaits(LockClock clock, ToLongFunction<Claim> tend, Consumer<Claim> onEnd) {
        this.clock = clock;
        this.tend = tend;
        this.onEnd = onEnd;
    }

    void add(Claim claim) {
        claims.add(claim);
        long alone = tend.applyAsLong(claim);
        Thread running = started();
        if (clock.nanos() + alone - wakeAt < 0) {
            LockSupport.unpark(running);
        }
    }

    private Thread started() {
        starting.lock();
        try {
            if (thread == null) {
                thread = new Thread(this::run, "lockstep-memory-waits");
                thread.setDaemon(true);
                thread.start();
            }
            return thread;
        } finally {
            starting.unlock();
        }
    }

    private void run() {
        while (!closed || !claims.isEmpty()) {
            wakeAt = clock.nanos() + IDLE;
            long pause = tendAll();
            wakeAt = clock.nanos() + pause;
            if (!closed) {
                clock.park(this, pause);
            }
        }
    }

    private long tendAll() {
        long pause = IDLE;
        for (Iterator<Claim> all = claims.iterator(); all.hasNext(); ) {
            Claim claim = all.next();
            long alone = tend.applyAsLong(claim);
            if (claim.isAnswered()) {
                all.remove();
                onEnd.accept(claim);
            } else {
                pause = Math.min(pause, alone);
            }
        }
        return pause;
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
