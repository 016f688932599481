package dev.lockstep.core.engine;

import dev.lockstep.core.Busy;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.OrderViolation;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.engine.TroubleLog.Trouble;
import dev.lockstep.core.internal.ApiAccess;
import dev.lockstep.core.spi.EventStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports what happened to the log and the listeners. */
final class Reporter implements AutoCloseable {
    private static final ApiAccess API = ApiAccess.get();
    private static final Logger LOG = LoggerFactory.getLogger(Locks.class);

    /** Leases that ended with the term they were requested for. A separate log, because this is normal where leases are handed on. */
    private static final Logger EXPIRED = LoggerFactory.getLogger(Locks.class.getName() + ".expired");

    private final LockClock clock;
    private final String store;
    private final EventStream<LockEvent> events = new EventStream<>("lockstep-events", this::dropped);
    private final TroubleLog trouble;
    private final TroubleLog expired;

    Reporter(LockClock clock, String store, Executor logWriter) {
        this.clock = clock;
        this.store = store;
        trouble = new TroubleLog(LOG, clock, logWriter);
        expired = new TroubleLog(EXPIRED, clock, logWriter);
    }

    /** Writes what was counted in the last second; returns whether there is more to write later. */
    boolean writeTrouble() {
        trouble.writeIfDue();
        expired.writeIfDue();
        return trouble.isWaiting() || expired.isWaiting();
    }

    Locks.Subscription subscribe(LockListener listener) {
        return events.subscribe(new ListenerCall(listener));
    }

    private LockEvent dropped(long count) {
        return new LockEvent.Dropped(now(), count);
    }

    /** Publishes an event of the store. */
    void publish(LockEvent event) {
        events.publish(event);
    }

    void acquired(LeaseHandle lease) {
        if (events.areHeard()) {
            events.publish(new LockEvent.Acquired(now(), subject(lease), lease.token(), sinceAsked(lease)));
        }
    }

    void busy(LeaseHandle lease, Busy busy) {
        if (events.areHeard()) {
            events.publish(
                    lease.waitNanos() > 0
                            ? new LockEvent.TimedOut(now(), subject(lease), busy, sinceAsked(lease))
                            : new LockEvent.Refused(now(), subject(lease), busy));
        }
    }

    void failed(LeaseHandle lease, Throwable error) {
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

    void deadlocked(LeaseHandle lease, DeadlockReport report) {
        LOG.warn("Deadlock ended by failing one request:\n{}", report);
        if (events.areHeard()) {
            events.publish(new LockEvent.Deadlocked(now(), subject(lease), report));
        }
    }

    void renewed(StoreLease storeLease, Duration lag) {
        if (events.areHeard() && storeLease.isStanding()) {
            storeLease
                    .standing()
                    .forEach(lease ->
                            events.publish(new LockEvent.Renewed(now(), subject(lease), lease.expiresAt(), lag)));
        }
    }

    void renewalFailed(StoreLease storeLease, Throwable error) {
        trouble.add(
                Trouble.NOT_RENEWED, () -> "Renewal failed and is tried again: lease " + describe(storeLease), error);
        if (events.areHeard()) {
            storeLease
                    .standing()
                    .forEach(lease -> events.publish(new LockEvent.RenewalFailed(now(), subject(lease), error)));
        }
    }

    void lost(LeaseHandle lease) {
        Loss loss = Objects.requireNonNull(lease.loss());
        TroubleLog log = loss.reason() == Loss.Reason.EXPIRED ? expired : trouble;
        log.add(Trouble.LOST, () -> "Lost: " + lease + ": " + loss, null);
        if (events.areHeard()) {
            events.publish(new LockEvent.Lost(now(), subject(lease), loss));
        }
    }

    private static String describe(StoreLease storeLease) {
        return storeLease.leaseId() + " of '" + storeLease.owner() + "' on " + storeLease.plan();
    }

    void released(LeaseHandle lease, ReleaseOutcome outcome) {
        if (events.areHeard()) {
            events.publish(new LockEvent.Released(now(), subject(lease), outcome, sinceHeld(lease)));
        }
    }

    /** The store no longer knew the lease when it was released. */
    void lostAtRelease(LeaseHandle lease) {
        if (events.areHeard()) {
            events.publish(new LockEvent.Lost(now(), subject(lease), API.loss(Loss.Reason.REFUSED, null)));
        }
    }

    void releaseFailed(StoreLease storeLease, Throwable error) {
        if (storeLease.isFirstFailureToRelease()) {
            trouble.add(
                    Trouble.NOT_RELEASED,
                    () -> "The store failed to release lease " + describe(storeLease)
                            + "; it is tried again until the lease ends",
                    error);
        }
        if (events.areHeard()) {
            events.publish(new LockEvent.ReleaseFailed(
                    now(),
                    new LockEvent.Subject(
                            storeLease.leaseId(),
                            storeLease.owner(),
                            storeLease.request().keys(),
                            store),
                    error));
        }
    }

    private LockEvent.Subject subject(LeaseHandle lease) {
        return new LockEvent.Subject(lease.id(), lease.owner(), lease.keys(), store);
    }

    private Duration sinceAsked(LeaseHandle lease) {
        return Duration.ofNanos(clock.nanos() - lease.askedAt());
    }

    private Duration sinceHeld(LeaseHandle lease) {
        return Duration.ofNanos(clock.nanos() - lease.heldFrom());
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    @Override
    public void close() {
        trouble.writeNow();
        expired.writeNow();
        events.close();
    }
}
