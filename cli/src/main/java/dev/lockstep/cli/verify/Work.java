package dev.lockstep.cli.verify;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work on its own thread, whose name is the owner label of its requests. It never keeps the process alive. */
final class Work<T> {
    private final Thread thread;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    private Work(String name, Callable<T> task) {
        thread = new Thread(() -> complete(task), name);
        thread.setDaemon(true);
    }

    static <T> Work<T> start(String name, Callable<T> task) {
        Work<T> work = new Work<>(name, task);
        work.thread.start();
        return work;
    }

    private void complete(Callable<T> task) {
        try {
            result.complete(task.call());
        } catch (Throwable e) { // the caller of the result gets it
            result.completeExceptionally(e);
        }
    }

    String name() {
        return thread.getName();
    }

    boolean isDone() {
        return result.isDone();
    }

    /** Waits at most this long for its end; returns whether it came. */
    boolean awaitEnd(Duration most) throws InterruptedException {
        try {
            result.get(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
        return true;
    }

    /** What it answered; throws what it threw, or a {@link TimeoutException}. */
    T result(Duration most) throws Exception {
        try {
            return result.get(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    void giveUp() {
        thread.interrupt();
    }
}
