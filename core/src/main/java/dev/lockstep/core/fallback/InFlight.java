package dev.lockstep.core.fallback;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreRequest;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests that are at one of the stores, and those that wait until there is a store for them. */
final class InFlight {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackStore.class);

    /** How long a request that has no store, or whose store doesn't answer, waits before it looks again. */
    static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(200);

    private final LockClock clock;
    private final Map<UUID, RoutedRequest> routed = new ConcurrentHashMap<>();
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private final Queue<AsyncRoute> parked = new ConcurrentLinkedQueue<>();
    private final Runnable stirUsher;
    private volatile boolean closed;

    InFlight(LockClock clock, Runnable stirUsher) {
        this.clock = clock;
        this.stirUsher = stirUsher;
    }

    void add(RoutedRequest request) {
        routed.put(request.leaseId(), request);
    }

    void remove(RoutedRequest request) {
        routed.remove(request.leaseId(), request);
    }

    /** Blocks until something has changed, or for a moment. */
    void await(StoreRequest request) throws InterruptedException {
        Thread current = Thread.currentThread();
        waiting.add(current);
        try {
            clock.park(this, Math.min(LOOK_AGAIN, Math.max(1, request.deadline().remainingNanos())));
        } finally {
            waiting.remove(current);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted while waiting for " + request.plan());
        }
    }

    /** Lets a request without a thread wait. */
    void park(AsyncRoute route) {
        boolean first = parked.isEmpty();
        parked.add(route);
        if (closed) {
            wake(); // nothing else will any more
        } else if (first) {
            stirUsher.run(); // it may have lain down for longer
        }
    }

    boolean hasParked() {
        return !parked.isEmpty();
    }

    /** Ends the waits of one request at its store, as the caller asked. */
    void cancel(StoreRequest request, Stores stores) {
        RoutedRequest found = routed.get(request.leaseId());
        if (found != null) {
            stores.at(found.view().epoch().side()).cancel(found);
        }
        wake();
    }

    /** Cancels what waits at a store whose epoch has ended, so that it goes to the other one. */
    void callOffBefore(long epoch, Stores stores) {
        for (RoutedRequest request : routed.values()) {
            if (request.view().epoch().number() < epoch) {
                request.callOff();
                cancel(request, stores.at(request.view().epoch().side()));
            }
        }
    }

    /** One that can't be cancelled at its store ends there with its time; the others must not wait for it. */
    private static void cancel(RoutedRequest request, LockStore store) {
        try {
            store.cancel(request);
        } catch (RuntimeException e) {
            LOG.debug("A wait of lease {} could not be cancelled at {}", request.leaseId(), store.name(), e);
        }
    }

    /** Ends all waits. */
    void close() {
        closed = true;
        wake();
    }

    /** Has everyone who has no store look again. */
    void wake() {
        waiting.forEach(LockSupport::unpark);
        for (int count = parked.size(); count > 0; count--) {
            AsyncRoute route = parked.poll();
            if (route != null) {
                route.go();
            }
        }
    }
}
