package dev.lockstep.jdbc;

import dev.lockstep.jdbc.sql.DaemonThreads;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
    private final Runnable tag;
    private final ExecutorService pings =
            Executors.newCachedThreadPool(task -> DaemonThreads.create("lockstep-jdbc-ping", task));
    private final Thread thread = DaemonThreads.create("lockstep-jdbc-keeper", this::run);
    private volatile Runnable chore = () -> {};
    private CompletableFuture<?> lastChore = CompletableFuture.completedFuture(true);
    private CompletableFuture<?> lastTagging = CompletableFuture.completedFuture(true);
    private volatile boolean closed;

    Housekeeper(SessionPool pool, Runnable tag) {
        this.pool = pool;
        this.tag = tag;
    }

    void start() {
        thread.start();
    }

    private void run() {
        for (int tick = 1; !closed; tick++) {
            LockSupport.parkNanos(this, TICK);
            try {
                startTagging();
                pool.keepIdleAlive(System.nanoTime());
                if (tick % RETIRE_EVERY == 0) {
                    pool.retireIdle(System.nanoTime());
                    startChore();
                }
            } catch (RuntimeException | Error e) {
                if (!closed) {
                    LOG.warn("The store's housekeeping continues after an error", e);
                }
            }
        }
    }

    /** On a separate thread: a connection that does not respond takes seconds. */
    private void startTagging() {
        if (lastTagging.isDone()) {
            lastTagging = CompletableFuture.runAsync(tag, pings).whenComplete(Housekeeper::warn);
        }
    }

    /** Runs a task every few seconds, on a separate thread: it may take long. */
    void alsoDo(Runnable other) {
        chore = other;
    }

    private void startChore() {
        if (lastChore.isDone()) {
            lastChore = CompletableFuture.runAsync(chore, pings).whenComplete(Housekeeper::warn);
        }
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
