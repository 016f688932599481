package dev.lockstep.cli.store;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A bound on calls that may block forever: a server that accepts a connection and says nothing. */
final class InTime {
    /** Long enough for a busy machine; tests shorten it. */
    static final Duration PATIENCE = Duration.ofMillis(Long.getLong("lockstep.patience.millis", 15_000));

    private InTime() {}

    /** Calls on its own thread, which is left to itself when it takes too long; it doesn't keep the process. */
    static <T> T call(String doing, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "lockstep-connect");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw failed(
                    ErrorCode.STORE_UNAVAILABLE,
                    doing + " took longer than " + PATIENCE.toSeconds()
                            + " s: something there takes connections and doesn't answer. Look at host and port, and whether"
                            + " the server runs.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(ErrorCode.INTERRUPTED, doing + " was interrupted.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LockException known) {
                throw known;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static LockException failed(ErrorCode code, String message, Exception cause) {
        return new LockException(code, message, List.of(), cause);
    }
}
