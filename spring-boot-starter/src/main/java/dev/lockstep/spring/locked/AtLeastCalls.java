package dev.lockstep.spring.locked;

import dev.lockstep.core.Busy;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.scheduling.Once;
import java.time.Duration;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Calls methods whose locks are held for a minimum time. */
final class AtLeastCalls implements Locks.LeaseTask<Exception> {
    private final MethodInvocation call;
    private final RunningLeases running;
    private @Nullable Object result;
    private @Nullable Throwable failure;

    private AtLeastCalls(MethodInvocation call, RunningLeases running) {
        this.call = call;
        this.running = running;
    }

    static @Nullable Object call(
            Locks locks,
            RunningLeases running,
            LockedMethod method,
            LockRequest request,
            Duration atLeast,
            MethodInvocation call)
            throws Throwable {
        if (TransactionLeases.isPossible()) {
            throw new InvalidRequestException(method.where()
                    + ": atLeast can't be kept inside a transaction that has already begun. Nothing is held, and the method was not run."
                    + " Call it before the transaction begins.");
        }
        AtLeastCalls task = new AtLeastCalls(call, running);
        long start = locks.clock().nanos();
        if (!Once.run(locks, request, atLeast, task)) {
            Busy busy = new Busy(request.keys().get(0), LockMode.EXCLUSIVE, List.of());
            Duration waited = Duration.ofNanos(locks.clock().nanos() - start);
            throw new NotAcquired(new LockTimeoutException(busy, request.keys(), waited));
        }
        if (task.failure != null) {
            throw task.failure;
        }
        return task.result;
    }

    @Override
    public void run(Lease lease) throws Exception {
        try {
            result = running.during(lease, call);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            failure = e;
        }
    }
}
