package dev.lockstep.etcd;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread of a store that does things later. Nothing that it runs blocks. */
final class EtcdTimer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdTimer.class);

    private final ScheduledThreadPoolExecutor thread;
    private volatile boolean closed;

    EtcdTimer() {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread timer = new Thread(task, "lockstep-etcd-timer");
            timer.setDaemon(true);
            return timer;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setRejectedExecutionHandler(
                new ThreadPoolExecutor.DiscardPolicy()); // once closed, nothing is left to do later
    }

    /** Runs a task after this time, unless the store is closed by then. */
    Future<?> later(Runnable task, long nanos) {
        return thread.schedule(() -> runSafely(task), nanos, TimeUnit.NANOSECONDS);
    }

    /** Runs a task again and again; one failure doesn't end it. */
    void every(Runnable task, long nanos) {
        Future<?> unused = thread.scheduleWithFixedDelay(() -> runSafely(task), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("The etcd store continues after an error", e);
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        thread.shutdownNow();
    }
}
