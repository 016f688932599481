package dev.lockstep.projectlock;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread that touches the files. An interrupt in the middle of a change would close its channel, and a release must
 * work in a thread that was interrupted; so callers wait here to the end, and keep their interrupt for later.
 */
final class FileThread implements AutoCloseable {
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            FileThread::daemon,
            (task, closed) -> daemon(task).start()); // what must still be released after close()

    FileThread() {
        thread.allowCoreThreadTimeOut(true);
    }

    static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "lockstep-project-files");
        thread.setDaemon(true);
        return thread;
    }

    /** Runs it there; {@code interrupted} is called once when this thread is interrupted meanwhile. */
    <T> T call(Callable<T> task, Runnable interrupted) throws Exception {
        Future<T> answer = thread.submit(task);
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                    interrupted.run();
                } catch (ExecutionException e) {
                    throw unwrapped(e);
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Exception unwrapped(ExecutionException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof Exception exception ? exception : e;
    }

    /** What was asked for is still done. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
