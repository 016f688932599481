package dev.lockstep.core.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Waits for a blocking acquire on a thread of its own; a cancel interrupts that thread. */
final class BlockingAcquire extends CompletableFuture<StoreAnswer> {
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
                store.release(grant);
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            leave();
            completeExceptionally(e);
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

    /** After this no cancel interrupts the thread, and one that was late is cleared before the thread goes on. */
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
