package dev.lockstep.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Work on its own thread. The thread's name is also the owner label of its requests. */
final class Task<T> {
    private final Thread thread;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    private Task(String name, Callable<T> work) {
        thread = new Thread(
                () -> {
                    try {
                        result.complete(work.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                name);
        thread.setDaemon(true);
    }

    static <T> Task<T> start(String name, Callable<T> work) {
        Task<T> task = new Task<>(name, work);
        task.thread.start();
        return task;
    }

    String name() {
        return thread.getName();
    }

    Thread thread() {
        return thread;
    }

    boolean isDone() {
        return result.isDone();
    }

    boolean hasFailed() {
        return result.isCompletedExceptionally();
    }

    void awaitDone() {
        Eventually.await(this::isDone, () -> "'" + name() + "' didn't end; it is at " + place());
    }

    private String place() {
        StackTraceElement[] stack = thread.getStackTrace();
        StringBuilder text = new StringBuilder();
        for (StackTraceElement frame : stack) {
            text.append("\n    ").append(frame);
        }
        return text.toString();
    }

    /** What the work answered; it must end soon and without an error. */
    T result() {
        awaitDone();
        return result.join();
    }

    /** The error that the work ended with; it must end soon and with one. */
    Throwable failure() {
        awaitDone();
        if (!result.isCompletedExceptionally()) {
            throw new AssertionError("'" + name() + "' should fail, but answered " + result.join());
        }
        return result.handle((answer, error) -> error).join();
    }
}
