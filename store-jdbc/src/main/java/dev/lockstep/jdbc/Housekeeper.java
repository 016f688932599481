package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.DaemonThreads;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store's own threads for what is not urgent: tags, unused connections, and pings of many sessions side by side. */
final class Housekeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_CHORE_MILLIS = 1_000;
    private static final int RETIRE_EVERY = 100;

    private final SessionPool pool;
    private final ExecutorService pings =
            Executors.newCachedThreadPool(task -> DaemonThreads.create("lockstep-jdbc-ping", task));
    private final Thread thread = DaemonThreads.create("lockstep-jdbc-keeper", this::run);
    private final Chore tagging;
    private final List<Chore> chores = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** Something to do again and again on a separate thread, where a connection that does not respond takes seconds. */
    private final class Chore {
        private final Runnable task;
        private CompletableFuture<?> last = CompletableFuture.completedFuture(true);

        Chore(Runnable task) {
            this.task = task;
        }

        void start() {
            if (last.isDone()) {
                last = CompletableFuture.runAsync(task, pings).whenComplete(Housekeeper::warn);
            }
        }
    }

    Housekeeper(SessionPool pool, Runnable tag) {
        this.pool = pool;
        tagging = new Chore(tag);
    }

    void start() {
        thread.start();
    }

    private void run() {
        for (int tick = 1; !closed; tick++) {
            LockSupport.parkNanos(this, TICK);
            try {
                tagging.start();
                pool.keepIdleAlive(System.nanoTime());
                if (tick % RETIRE_EVERY == 0) {
                    pool.retireIdle(System.nanoTime());
                    startChores();
                }
            } catch (RuntimeException | Error e) {
                if (!closed) {
                    LOG.warn("The store's housekeeping continues after an error", e);
                }
            }
        }
    }

    /** Runs a task, besides others, every few seconds. */
    void alsoDo(Runnable task) {
        chores.add(new Chore(task));
    }

    /** Starts those that have ended since the last time. */
    void startChores() {
        chores.forEach(Chore::start);
    }

    private static void warn(@Nullable Object done, @Nullable Throwable error) {
        if (error != null) {
            LOG.warn("The store's housekeeping continues after an error", error);
        }
    }

    /**
     * Does something for each, all at the same time, and waits until all are done: one slow connection delays no other. Throws what the
     * first that failed has thrown, as if it had run alone.
     */
    <T> void forEach(Collection<T> items, Consumer<T> action) {
        if (items.size() == 1) {
            items.forEach(action);
            return;
        }
        CompletableFuture<?>[] all = items.stream()
                .map(item -> CompletableFuture.runAsync(() -> action.accept(item), pings))
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(all).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(LONGEST_CHORE_MILLIS); // it may use a connection that is about to go back
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pings.shutdown();
    }
}
