package dev.lockstep.coretests;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Work on its own thread. */
final class Running<T> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Thread thread;

    private Running(Callable<T> work) {
        thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    static <T> Running<T> start(Callable<T> work) {
        return new Running<>(work);
    }

    Thread thread() {
        return thread;
    }

    boolean isDone() {
        return result.isDone();
    }

    T result() throws Exception {
        return result.get(60, TimeUnit.SECONDS);
    }
}
