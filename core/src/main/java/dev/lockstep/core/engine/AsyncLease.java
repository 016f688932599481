package dev.lockstep.core.engine;

import dev.lockstep.core.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** A future lease. Cancelling it removes the request from the store. */
final class AsyncLease extends CompletableFuture<Lease> {
    private final Future<?> asked;

    AsyncLease(Future<?> asked) {
        this.asked = asked;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            asked.cancel(true);
        }
        return cancelled;
    }
}
