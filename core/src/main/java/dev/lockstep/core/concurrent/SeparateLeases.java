package dev.lockstep.core.concurrent;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Leases that belong to no thread, so that none is nested in another one, except in one of the same key. */
record SeparateLeases(Locks locks) implements LeaseAcquirer {
    @Override
    public @Nullable Lease acquire(LockRequest request, @Nullable Lease held) throws InterruptedException {
        CompletableFuture<Lease> asked = held == null ? locks.acquireAsync(request) : held.acquireAsync(request);
        try {
            return asked.get();
        } catch (InterruptedException e) {
            leave(asked);
            throw e;
        } catch (ExecutionException e) {
            return failed(e);
        }
    }

    private static void leave(CompletableFuture<Lease> asked) {
        if (!asked.cancel(true) && !asked.isCompletedExceptionally()) {
            asked.join().close(); // it was granted at the last moment
        }
    }

    private static @Nullable Lease failed(ExecutionException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof LockTimeoutException) {
            return null;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        throw cause instanceof RuntimeException exception ? exception : new IllegalStateException(failure);
    }
}
