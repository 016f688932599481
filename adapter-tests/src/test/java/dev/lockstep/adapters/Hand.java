package dev.lockstep.adapters;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A thread of a test that does one thing after the other, as the test says. */
final class Hand implements AutoCloseable {
    private final ExecutorService executor;
    private volatile Thread thread = Thread.currentThread();

    Hand(String name) {
        executor = Executors.newSingleThreadExecutor(work -> {
            thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts something that may wait. */
    <T> CompletableFuture<T> start(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Does something that ends soon. */
    <T> T does(Callable<T> work) throws Exception {
        return result(start(work));
    }

    void runs(Runnable work) throws Exception {
        does(Executors.callable(work));
    }

    static <T> T result(CompletableFuture<T> started) throws Exception {
        try {
            return started.get(120, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    void interrupt() {
        thread.interrupt();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
