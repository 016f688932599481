package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import java.util.concurrent.Callable;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Calls methods that return publishers. Each subscription acquires the locks without blocking a thread, calls the method, and releases them when the
 * publisher has completed, failed or was cancelled. If the lease is lost before, the publisher fails. Loaded only where Reactor is.
 */
final class LockedPublishers {
    private final Locks locks;
    private final RunningLeases running;

    LockedPublishers(Locks locks, RunningLeases running) {
        this.locks = locks;
        this.running = running;
    }

    Publisher<?> call(LockedMethod method, LockRequest request, MethodInvocation call) {
        LockedFutures.requireAbove(running.all(), method, request);
        Mono<Lease> lease = Mono.fromFuture(() -> locks.acquireAsync(request)).publishOn(Schedulers.parallel());
        return method.method().getReturnType() == Mono.class
                ? Mono.usingWhen(
                        lease,
                        held -> Mono.from(called(held, call)),
                        LockedPublishers::complete,
                        (held, error) -> release(held),
                        LockedPublishers::release)
                : Flux.usingWhen(
                        lease,
                        held -> called(held, call),
                        LockedPublishers::complete,
                        (held, error) -> release(held),
                        LockedPublishers::release);
    }

    /** Each subscription calls the method again. */
    private Publisher<?> called(Lease lease, MethodInvocation call) {
        MethodInvocation again = ((ProxyMethodInvocation) call).invocableClone();
        Callable<Publisher<?>> bound = lease.bind(() -> proceed(lease, again));
        return Flux.defer(() -> {
                    try {
                        return bound.call();
                    } catch (Exception e) {
                        return Flux.error(e);
                    }
                })
                .takeUntilOther(lost(lease));
    }

    private Publisher<?> proceed(Lease lease, MethodInvocation call) throws Exception {
        try {
            Object publisher = running.during(lease, call);
            return publisher == null ? Mono.empty() : (Publisher<?>) publisher;
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static Mono<Object> lost(Lease lease) {
        return Mono.fromFuture(lease.lost().toCompletableFuture()) // a copy, which may be cancelled
                .flatMap(loss -> Mono.error(LostLeases.exception(lease)));
    }

    /** Fails if the lease was lost before the end. */
    private static Mono<Void> complete(Lease lease) {
        return onOtherThread(() -> {
            boolean held = lease.isHeld();
            if (lease.release() == ReleaseOutcome.LOST || !held) {
                throw Exceptions.propagate(LostLeases.exception(lease));
            }
        });
    }

    private static Mono<Void> release(Lease lease) {
        return onOtherThread(lease::close);
    }

    /** On another thread: a store may block for a moment. */
    private static Mono<Void> onOtherThread(Runnable action) {
        return Mono.<Void>fromRunnable(action).subscribeOn(Schedulers.boundedElastic());
    }
}
