package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.DaemonThreads;
import java.util.Collection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends calls to the database that were cancelled or take too long. A thread that waits for the server notices neither an
 * interrupt nor a cancel; this one checks all sessions a hundred times a second while any is in use.
 */
final class CallWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallWatch.class);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long NAP = TimeUnit.SECONDS.toNanos(1);
    private static final int QUIET_TICKS = 100;

    /** A watch that is later than this did not run, and neither did the threads that it watches. */
    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(200);

    private final Supplier<Collection<LockSession>> sessions;
    private final ExecutorService cancels =
            Executors.newCachedThreadPool(task -> DaemonThreads.create("lockstep-jdbc-cancel", task));
    private final Thread thread = DaemonThreads.create("lockstep-jdbc-watch", this::run);
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean napping;
    private volatile boolean closed;

    CallWatch(Supplier<Collection<LockSession>> sessions) {
        this.sessions = sessions;
    }

    /** To be called when a session is about to be used. */
    void wake() {
        if (!started.get() && started.compareAndSet(false, true)) {
            thread.start();
        }
        if (napping) {
            napping = false;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        int quiet = 0;
        long expected = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            long late = now - expected;
            try {
                quiet = watchAll(now, late > LATE ? late : 0) ? 0 : quiet + 1;
            } catch (RuntimeException | Error e) { // without the watch, calls could hang forever
                LOG.error("The watch over calls to the database continues after an error", e);
            }
            napping = quiet > QUIET_TICKS;
            long pause = napping ? NAP : TICK;
            expected = now + pause; // not from here: it may have stood still since
            LockSupport.parkNanos(this, pause);
        }
    }

    /** Checks all sessions; {@code standstill} is for how long the process did not run before. */
    private boolean watchAll(long now, long standstill) {
        boolean any = false;
        for (LockSession session : sessions.get()) {
            any |= session.watch(now, standstill, cancels);
        }
        return any;
    }

    @Override
    public void close() {
        closed = true;
        started.set(true);
        LockSupport.unpark(thread);
        cancels.shutdown();
    }
}
