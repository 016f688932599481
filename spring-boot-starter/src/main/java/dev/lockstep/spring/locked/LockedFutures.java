package dev.lockstep.spring.locked;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Calls methods that return futures. The calling thread waits for the locks and runs the method; the lease, though, belongs to no
 * thread, since it lives on when the thread has long gone to other work, which must not pass for the holder.
 */
final class LockedFutures {
    private final Locks locks;
    private final RunningLeases running;

    LockedFutures(Locks locks, RunningLeases running) {
        this.locks = locks;
        this.running = running;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is returned to the caller of the method
    @Nullable
    Object call(LockedMethod method, LockRequest request, MethodInvocation call) throws Throwable {
        TransactionLeases transaction = TransactionLeases.isPossible() ? TransactionLeases.current() : null;
        requireAbove(running.all(), method, request);
        if (transaction != null) {
            requireAbove(transaction.held(), method, request);
        }
        Lease lease = acquire(request);
        LeaseEnds ends = new LeaseEnds(lease, transaction != null);
        if (transaction != null) {
            transaction.keep(lease, ends::transactionEnded);
        }
        Object result;
        try {
            result = asHolder(lease, call);
        } catch (Throwable e) {
            ends.workFailed(e);
            throw e;
        }
        if (result instanceof CompletionStage<?> work) {
            return HeldFuture.of(work, lease, ends);
        }
        Throwable lost = ends.workEnded();
        if (lost != null) {
            throw lost;
        }
        return result;
    }

    /**
     * A lease without a thread is not seen as nested by the order guard: a call inside another locked method, or inside a
     * transaction that keeps the locks of one, is refused here if it could wait for its own caller.
     */
    static void requireAbove(Collection<Lease> outers, LockedMethod method, LockRequest request) {
        int lowest =
                request.keys().stream().mapToInt(key -> key.root().rank()).min().orElse(0);
        for (Lease outer : outers) {
            for (LockKey held : outer.keys()) {
                if (held.rank() >= lowest) {
                    throw new InvalidRequestException(method.where() + ": it returns a "
                            + (method.answersFuture() ? "future" : "publisher") + ", so its locks "
                            + request.keys()
                            + " are not nested in those of its caller '" + outer.owner() + "', which holds '" + held
                            + "', and it could wait for its own caller. Call it after that method has returned and its transaction has"
                            + " ended, or let the caller's locks"
                            + " cover the work and call a method that is not @Locked.");
                }
            }
        }
    }

    private Lease acquire(LockRequest request) throws Throwable {
        CompletableFuture<Lease> asked = locks.acquireAsync(request);
        try {
            return asked.get();
        } catch (InterruptedException e) {
            asked.cancel(true);
            CompletableFuture<?> unused = asked.thenAccept(Lease::release); // it may have been granted just before
            Thread.currentThread().interrupt();
            String message = "Interrupted while waiting for " + request.keys() + ". Nothing of the request is held.";
            throw new LockException(ErrorCode.INTERRUPTED, message, request.keys(), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LockTimeoutException timeout) {
                throw new NotAcquired(timeout);
            }
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private @Nullable Object asHolder(Lease lease, MethodInvocation call) throws Throwable {
        Outcome outcome = new Outcome();
        lease.bind((Runnable) () -> outcome.of(lease, call, running)).run();
        return outcome.get();
    }

    /** Carries what a method throws through a {@link Runnable}. */
    private static final class Outcome {
        private @Nullable Object result;
        private @Nullable Throwable failure;

        void of(Lease lease, MethodInvocation call, RunningLeases running) {
            try {
                result = running.during(lease, call);
            } catch (Throwable e) {
                failure = e;
            }
        }

        @Nullable
        Object get() throws Throwable {
            if (failure != null) {
                throw failure;
            }
            return result;
        }
    }
}
