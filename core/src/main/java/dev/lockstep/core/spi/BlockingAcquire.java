package dev.lockstep.core.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for a blocking acquire on its own thread; a cancel interrupts that thread. */
final class BlockingAcquire extends CompletableFuture<StoreAnswer> {
    private static final Logger LOG = LoggerFactory.getLogger(BlockingAcquire.class);

    private final LockStore store;
    private final StoreRequest request;
    private final ReentrantLock worker = new ReentrantLock();
    private @Nullable Thread thread;

    private BlockingAcquire(LockStore store, StoreRequest request) {
        this.store = store;
        this.request = request;
    }

    static CompletableFuture<StoreAnswer> start(LockStore store, StoreRequest request, Executor blocking) {
        BlockingAcquire acquire = new BlockingAcquire(store, request);
        blocking.execute(acquire::work);
        return acquire;
    }

    private void work() {
        if (!enter()) {
            return;
        }
        try {
            StoreAnswer answer = store.acquire(request);
            leave();
            if (!complete(answer) && answer instanceof StoreGrant grant) {
                releaseLate(grant);
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            leave();
            completeExceptionally(e);
        }
    }

    private void releaseLate(StoreGrant grant) {
        try {
            store.release(grant);
        } catch (RuntimeException e) {
            LOG.warn(
                    "The store failed to release what lease {} of '{}' was granted after it was cancelled; it ends with its term",
                    request.leaseId(),
                    request.owner(),
                    e);
        }
    }

    private boolean enter() {
        worker.lock();
        try {
            thread = isDone() ? null : Thread.currentThread();
            return thread != null;
        } finally {
            worker.unlock();
        }
    }

    /** After this no cancel interrupts the thread, and one that was late is cleared before the thread continues. */
    private void leave() {
        worker.lock();
        try {
            thread = null;
            if (isCancelled()) {
                Thread.interrupted();
            }
        } finally {
            worker.unlock();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        worker.lock();
        try {
            if (cancelled && thread != null) {
                thread.interrupt();
            }
        } finally {
            worker.unlock();
        }
        return cancelled;
    }
}
