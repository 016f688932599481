package dev.lockstep.core;

import dev.lockstep.core.spi.EventStream;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log and the listeners what happened. */
final class Reporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Locks.class);

    /** Leases that ended as was asked for. Apart, because for those who hand leases on it is everyday life. */
    private static final Logger EXPIRED = LoggerFactory.getLogger(Locks.class.getName() + ".expired");

    private final LockClock clock;
    private final String store;
    private final EventStream<LockEvent> events = new EventStream<>("lockstep-events", this::dropped);

    Reporter(LockClock clock, String store) {
        this.clock = clock;
        this.store = store;
    }

    Locks.Subscription subscribe(LockListener listener) {
        return events.subscribe(new ListenerCall(listener));
    }

    private LockEvent dropped(long count) {
        return new LockEvent.Dropped(now(), count);
    }

    /** Passes on what the store tells of itself. */
    void tell(LockEvent event) {
        events.publish(event);
    }

    void acquired(HeldLease lease) {
        if (events.areHeard()) {
            events.publish(new LockEvent.Acquired(now(), subject(lease), lease.token(), sinceAsked(lease)));
        }
    }

    void timedOut(HeldLease lease, Busy busy) {
        if (events.areHeard()) {
            events.publish(new LockEvent.TimedOut(now(), subject(lease), busy, sinceAsked(lease)));
        }
    }

    void failed(HeldLease lease, Throwable error) {
        if (events.areHeard()) {
            events.publish(new LockEvent.AcquireFailed(now(), subject(lease), error, sinceAsked(lease)));
        }
    }

    void violated(OrderViolation violation, OrderPolicy policy) {
        if (policy == OrderPolicy.WARN) {
            LOG.warn("Lock order violated: {}", violation);
        }
        if (events.areHeard()) {
            events.publish(new LockEvent.OrderViolated(now(), violation, policy));
        }
    }

    void deadlocked(HeldLease lease, DeadlockReport report) {
        LOG.warn("Deadlock ended by failing one request:\n{}", report);
        if (events.areHeard()) {
            events.publish(new LockEvent.Deadlocked(now(), subject(lease), report));
        }
    }

    void renewed(HeldLease lease, Duration lag) {
        if (events.areHeard()) {
            events.publish(new LockEvent.Renewed(now(), subject(lease), lease.expiresAt(), lag));
        }
    }

    void renewalFailed(HeldLease lease, Throwable error) {
        LOG.warn("Renewal failed, to be tried again: {}", lease, error);
        if (events.areHeard()) {
            events.publish(new LockEvent.RenewalFailed(now(), subject(lease), error));
        }
    }

    /** Apart from the event, because a slow log must not hold up the one who watches the leases. */
    void logLost(HeldLease lease, Loss loss) {
        Logger log = loss.reason() == Loss.Reason.EXPIRED ? EXPIRED : LOG;
        log.warn("Lost: {}: {}", lease, loss);
    }

    void lost(HeldLease lease, Loss loss) {
        if (events.areHeard()) {
            events.publish(new LockEvent.Lost(now(), subject(lease), loss));
        }
    }

    void released(HeldLease lease, ReleaseOutcome outcome) {
        if (events.areHeard()) {
            events.publish(new LockEvent.Released(now(), subject(lease), outcome, sinceHeld(lease)));
        }
    }

    void releaseFailed(Grip grip, Throwable error) {
        if (grip.failsToReleaseAgain()) {
            LOG.debug("The store failed again to release lease {}", grip.leaseId(), error);
        } else {
            LOG.warn(
                    "The store failed to release lease {} of '{}' on {}; it is tried again until the lease ends",
                    grip.leaseId(),
                    grip.owner(),
                    grip.plan(),
                    error);
        }
        if (events.areHeard()) {
            events.publish(new LockEvent.ReleaseFailed(
                    now(), new LockEvent.Subject(grip.leaseId(), grip.owner(), grip.keys(), store), error));
        }
    }

    private LockEvent.Subject subject(HeldLease lease) {
        return new LockEvent.Subject(lease.id(), lease.owner(), lease.keys(), store);
    }

    private Duration sinceAsked(HeldLease lease) {
        return Duration.ofNanos(clock.nanos() - lease.ask().askedAt());
    }

    private Duration sinceHeld(HeldLease lease) {
        return Duration.ofNanos(clock.nanos() - lease.heldFrom());
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    @Override
    public void close() {
        events.close();
    }
}
