package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import java.time.Duration;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.function.SingletonSupplier;

/** Holds the locks around a call; inside a transaction, until that has ended. */
final class LockedInterceptor implements MethodInterceptor {
    private final LockedMethods methods;
    private final RunningLeases running;
    private final SingletonSupplier<Locks> locks;
    private final SingletonSupplier<LockedFutures> futures;
    private final SingletonSupplier<LockedPublishers> publishers;

    LockedInterceptor(LockedMethods methods, RunningLeases running, Supplier<Locks> locks) {
        this.methods = methods;
        this.running = running;
        this.locks = SingletonSupplier.of(locks);
        futures = SingletonSupplier.of(() -> new LockedFutures(this.locks.obtain(), running));
        publishers = SingletonSupplier.of(() -> new LockedPublishers(this.locks.obtain(), running));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        if (target == null) {
            throw new IllegalStateException("A locked method was called on nothing: " + call.getMethod());
        }
        LockedMethod method = methods.of(call.getMethod(), AopUtils.getTargetClass(target));
        LockRequest request = method.request(target, call.getArguments());
        try {
            if (method.answersFuture()) {
                return futures.obtain().call(method, request, call);
            }
            if (ReturnedValue.isReactive(method.method())) {
                return publishers.obtain().call(method, request, call);
            }
            Object result = result(method, request, call);
            ReturnedValue.checkHidden(result, method);
            return result;
        } catch (NotAcquired e) {
            return method.options().ifNotAcquired().call(target, call.getArguments(), e.timeout());
        }
    }

    private @Nullable Object result(LockedMethod method, LockRequest request, MethodInvocation call) throws Throwable {
        Duration atLeast = method.options().atLeast();
        if (atLeast != null) {
            return AtLeastCalls.call(locks.obtain(), running, method, request, atLeast, call);
        }
        return TransactionLeases.isPossible() ? inTransaction(request, call) : alone(request, call);
    }

    private Lease acquire(LockRequest request) {
        try {
            return locks.obtain().acquire(request);
        } catch (LockTimeoutException e) {
            throw new NotAcquired(e);
        }
    }

    private @Nullable Object alone(LockRequest request, MethodInvocation call) throws Throwable {
        Lease lease = acquire(request);
        Object result;
        try {
            result = running.during(lease, call);
        } catch (Throwable e) {
            LostLeases.releaseAfter(e, lease);
            throw e;
        }
        boolean held = lease.isHeld(); // locks that were closed meanwhile have released it already
        if (lease.release() == ReleaseOutcome.LOST || !held) {
            throw LostLeases.exception(lease);
        }
        return result;
    }

    private @Nullable Object inTransaction(LockRequest request, MethodInvocation call) throws Throwable {
        TransactionLeases transaction = TransactionLeases.current();
        Lease lease = acquire(request);
        transaction.keep(lease, lease::release);
        Object result = running.during(lease, call);
        lease.ensureHeld();
        return result;
    }
}
