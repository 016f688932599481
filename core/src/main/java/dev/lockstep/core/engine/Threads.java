package dev.lockstep.core.engine;

import dev.lockstep.core.Locks;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one {@link Locks}; none is started before it is needed, and none keeps a process alive. They are separate so that
 * a slow callback delays no renewal, and a slow store no signal.
 */
final class Threads implements AutoCloseable {
    private static final int CALLBACKS = 8;
    private static final int LOSSES = 3;
    private static final int RELEASES = 2;

    private final ExecutorService callbacks = pool("lockstep-callbacks", CALLBACKS);
    private final ExecutorService losses = pool("lockstep-losses", LOSSES);
    private final ExecutorService renewal = onDemand("lockstep-renewal", RenewalCalls.THREADS);
    private final ExecutorService releases = pool("lockstep-releases", RELEASES);
    private final ExecutorService log = pool("lockstep-log", 1);
    private final ExecutorService blocking = onDemand("lockstep-wait", Integer.MAX_VALUE);

    /** Starts a thread only when none is idle. */
    private static ExecutorService onDemand(String name, int most) {
        return new ThreadPoolExecutor(
                0,
                most,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> daemon(name, task),
                (task, closed) -> daemon(name, task).start());
    }

    private static ExecutorService pool(String name, int threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(name, task),
                (task, closed) -> daemon(name, task).start()); // what is still to be signalled after close()
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Signals lost leases, and runs what users attach to that. Separate from the other callbacks, which may all be busy. */
    Executor losses() {
        return losses;
    }

    /** Runs what users attach to a lease that was asked for asynchronously. */
    Executor callbacks() {
        return callbacks;
    }

    /** Talks to the store about renewals. */
    Executor renewal() {
        return renewal;
    }

    /** Has the store release what was lost, or failed to be released. */
    Executor releases() {
        return releases;
    }

    /** Writes to the log, which may be slow. */
    Executor log() {
        return log;
    }

    /** Waits in stores that can only block. */
    Executor blocking() {
        return blocking;
    }

    @Override
    public void close() {
        callbacks.shutdown();
        losses.shutdown();
        renewal.shutdown();
        releases.shutdown();
        log.shutdown();
        blocking.shutdown();
    }
}
