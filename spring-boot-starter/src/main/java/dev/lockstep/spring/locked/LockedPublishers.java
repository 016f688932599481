package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.Disposable;
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
        Mono<GrantedLease> lease = acquired(request);
        return method.method().getReturnType() == Mono.class
                ? Mono.usingWhen(
                        lease,
                        held -> Mono.from(called(held.take(), call)),
                        held -> complete(held.lease),
                        (held, error) -> release(held.lease),
                        held -> release(held.lease))
                : Flux.usingWhen(
                        lease,
                        held -> called(held.take(), call),
                        held -> complete(held.lease),
                        (held, error) -> release(held.lease),
                        held -> release(held.lease));
    }

    /** A lease, and whether the subscription has it, and will release it. */
    private static final class GrantedLease {
        private final Lease lease;
        private volatile boolean taken;

        GrantedLease(Lease lease) {
            this.lease = lease;
        }

        Lease take() {
            taken = true;
            return lease;
        }
    }

    /** Nothing may stand between this and the subscription, which takes the lease at once or was cancelled: an operator that keeps it could lose it. */
    private Mono<GrantedLease> acquired(LockRequest request) {
        return Mono.create(sink -> {
            CompletableFuture<Lease> asked = locks.acquireAsync(request);
            sink.onCancel(() -> asked.cancel(true));
            CompletableFuture<?> unused = asked.whenComplete((lease, error) -> {
                if (error != null) {
                    sink.error(error instanceof CompletionException e && e.getCause() != null ? e.getCause() : error);
                    return;
                }
                GrantedLease granted = new GrantedLease(lease);
                sink.success(granted);
                if (!granted.taken) {
                    discard(lease);
                }
            });
        });
    }

    private static void discard(Lease lease) {
        Disposable unused = release(lease).subscribe();
    }

    /** Each subscription calls the method again, on another thread than the one that granted the lease, which must not block. */
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
                .subscribeOn(Schedulers.parallel())
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
