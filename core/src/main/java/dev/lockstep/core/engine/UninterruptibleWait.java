package dev.lockstep.core.engine;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.StoreAnswer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Waits for an asynchronous acquire, which keeps its place in the queue while the waiting thread is interrupted. */
final class UninterruptibleWait {
    private UninterruptibleWait() {}

    /** The store's response, or the exception that the store threw. The thread is interrupted afterwards if it was while it waited. */
    static StoreAnswer on(CompletableFuture<StoreAnswer> asked) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return asked.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw failure(e.getCause(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException failure(@Nullable Throwable cause, ExecutionException wrapper) {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof InterruptedException) { // the store's own thread was: it is closing
            return new LockException(
                    ErrorCode.STORE_UNAVAILABLE, "The store ended the wait. Nothing is held.", List.of(), cause);
        }
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(wrapper);
    }
}
