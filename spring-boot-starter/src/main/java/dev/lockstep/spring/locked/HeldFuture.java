package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the caller of a locked method gets for the method's future: it completes when the locks are released, fails when they
 * are lost before, and hands a cancel on. The locks end with the method's future alone, whatever becomes of this one.
 */
final class HeldFuture<T> extends CompletableFuture<T> {
    private static final Logger LOG = LoggerFactory.getLogger(HeldFuture.class);

    private final CompletionStage<T> work;

    private HeldFuture(CompletionStage<T> work) {
        this.work = work;
    }

    static <T> HeldFuture<T> of(CompletionStage<T> work, Lease lease, LeaseEnds ends) {
        HeldFuture<T> future = new HeldFuture<>(work);
        CompletionStage<?> unused = lease.lost().thenRun(() -> future.lose(lease));
        CompletionStage<?> unusedToo = work.whenComplete((value, failure) -> future.end(value, failure, ends));
        return future;
    }

    private void lose(Lease lease) {
        completeExceptionally(LostLeases.exception(lease));
        cancelWork(true);
    }

    private void end(@Nullable T value, @Nullable Throwable failure, LeaseEnds ends) {
        if (failure != null) {
            ends.workFailed(failure);
            completeExceptionally(failure);
            return;
        }
        Throwable lost = ends.workEnded();
        if (lost == null) {
            completeWith(value);
        } else {
            completeExceptionally(lost);
        }
    }

    @SuppressWarnings("NullAway") // a future may well complete with null
    private void completeWith(@Nullable T value) {
        complete(value);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        cancelWork(mayInterruptIfRunning);
        return super.cancel(mayInterruptIfRunning);
    }

    private void cancelWork(boolean mayInterrupt) {
        if (work instanceof Future<?> cancellable) {
            try {
                cancellable.cancel(mayInterrupt);
            } catch (UnsupportedOperationException e) {
                LOG.debug("This future can't be cancelled, so its locks are held until it is done", e);
            }
        }
    }

    /** What is made of this one has nothing to cancel. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
