package dev.lockstep.spring.actuate;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockFigures;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ObservedOrder;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.spring.actuate.LockObservationContext.Phase;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * Locks whose waits, and whose holds in {@code run} and {@code call}, are observed, which makes them spans of traces. Otherwise they do
 * what the locks do that they are made of, on the same threads.
 */
public final class ObservedLocks implements Locks {
    private final Locks locks;
    private final ObservationRegistry registry;
    private final LockObservationConvention convention;

    /** The same locks, observed. */
    public ObservedLocks(Locks locks, ObservationRegistry registry, LockObservationConvention convention) {
        this.locks = locks;
        this.registry = registry;
        this.convention = convention;
    }

    private SafeObservation observe(LockRequest request) {
        return observe(new LockObservationContext(Phase.ACQUIRE, locks.storeName(), request));
    }

    private SafeObservation observe(LockObservationContext context) {
        return new SafeObservation(context)
                .start(() -> Observation.createNotStarted(context.phase().observation(), () -> context, registry)
                        .observationConvention(convention));
    }

    @Override
    public Lease acquire(LockRequest request) {
        SafeObservation wait = observe(request).enter();
        try {
            Lease lease = locks.acquire(request);
            wait.context().granted(lease);
            return lease;
        } catch (Throwable e) {
            refused(wait, e);
            throw e;
        } finally {
            wait.end();
        }
    }

    @Override
    public Attempt tryAcquire(LockRequest request) {
        SafeObservation wait = observe(request).enter();
        try {
            Attempt attempt = locks.tryAcquire(request);
            if (attempt instanceof Granted granted) {
                wait.context().granted(granted.lease());
            } else if (attempt instanceof Busy busy) {
                wait.context().busy(busy);
            }
            return attempt;
        } catch (Throwable e) {
            refused(wait, e);
            throw e;
        } finally {
            wait.end();
        }
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        SafeObservation wait = observe(request);
        CompletableFuture<Lease> future;
        try {
            future = locks.acquireAsync(request);
        } catch (Throwable e) {
            refused(wait, e);
            wait.end();
            throw e;
        }
        CompletableFuture<?> unused = future.whenComplete((lease, error) -> {
            if (error == null) {
                wait.context().granted(lease);
            } else {
                refused(wait, error);
            }
            wait.end();
        });
        return future; // the very same, because cancelling it takes the request out of the store
    }

    private static void refused(SafeObservation wait, Throwable error) {
        wait.context().refused(error);
        wait.error(error);
    }

    @Override
    public <X extends Exception> void run(LockRequest request, LeaseTask<X> task) throws X {
        this.<Boolean, X>call(request, lease -> {
            task.run(lease);
            return true;
        });
    }

    @Override
    public <T, X extends Exception> T call(LockRequest request, LeaseFunction<T, X> task) throws X {
        SafeObservation wait = observe(request).enter();
        ObservedHold<T, X> hold = new ObservedHold<>(request, wait, task);
        try {
            return locks.call(request, hold);
        } catch (Throwable e) {
            hold.failed(e);
            throw e;
        } finally {
            hold.end();
        }
    }

    /** A task under a lease: where the wait ends and the hold begins. */
    private final class ObservedHold<T, X extends Exception> implements LeaseFunction<T, X> {
        private final LockRequest request;
        private final LeaseFunction<T, X> task;
        private SafeObservation current; // the wait, then the hold

        ObservedHold(LockRequest request, SafeObservation wait, LeaseFunction<T, X> task) {
            this.request = request;
            this.task = task;
            current = wait;
        }

        @Override
        public T call(Lease lease) throws X {
            current.context().granted(lease);
            current.end();
            LockObservationContext held = new LockObservationContext(Phase.HOLD, locks.storeName(), request);
            held.held(lease);
            current = observe(held).enter();
            try {
                return task.call(lease);
            } finally {
                current.leave();
            }
        }

        void failed(Throwable error) {
            if (current.context().phase() == Phase.ACQUIRE) {
                refused(current, error);
            } else {
                current.context()
                        .brokenOff(isLoss(error)
                                || Arrays.stream(error.getSuppressed()).anyMatch(this::isLoss));
                current.error(error);
            }
        }

        private boolean isLoss(Throwable error) {
            return error instanceof LeaseLostException;
        }

        void end() {
            current.end();
        }
    }

    // ---- what is not waited for

    @Override
    public Permits permits(LockKey key, int count) {
        return locks.permits(key, count);
    }

    @Override
    public LockClock clock() {
        return locks.clock();
    }

    @Override
    public LockSnapshot snapshot() {
        return locks.snapshot();
    }

    @Override
    public String storeName() {
        return locks.storeName();
    }

    @Override
    public ObservedOrder observedOrder() {
        return locks.observedOrder();
    }

    @Override
    public LockFigures figures() {
        return locks.figures();
    }

    @Override
    public Subscription subscribe(LockListener listener) {
        return locks.subscribe(listener);
    }

    @Override
    public void close(Duration drain) {
        locks.close(drain);
    }
}
