package dev.lockstep.spring.actuate;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockEvent.Subject;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.OrderPolicy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;

/** Counts and times the events of locks. */
final class LockEventMeters implements LockListener {
    private final String store;
    private final MeterProvider<Timer> acquire;
    private final MeterProvider<Timer> hold;
    private final MeterProvider<Timer> lag;
    private final MeterProvider<Counter> renewals;
    private final MeterProvider<Counter> lost;
    private final MeterProvider<Counter> violations;
    private final MeterProvider<Counter> failedReleases;
    private final Counter dropped;

    LockEventMeters(String store, MeterRegistry registry) {
        this.store = store;
        acquire = timer("lockstep.acquire", "How long requests took, by how they ended", registry);
        hold = timer("lockstep.hold", "How long leases were held until they were closed", registry);
        lag = timer("lockstep.renewal.lag", "How long after they were due renewals were confirmed", registry);
        renewals = counter("lockstep.renewals", "renewals", "Renewals of leases, by how they ended", registry);
        lost = counter("lockstep.lost.leases", "leases", "Leases that were lost, by the reason", registry);
        violations = counter(
                "lockstep.order.violations",
                "violations",
                "Nested requests against the order, by what happened to them",
                registry);
        failedReleases = counter(
                "lockstep.failed.releases", "releases", "Releases that the store failed to carry out", registry);
        dropped = counter(
                        "lockstep.dropped.events",
                        "events",
                        "Events that came too fast to be counted, so that the other meters have missed them",
                        registry)
                .withTags("store", store);
    }

    private static MeterProvider<Timer> timer(String name, String description, MeterRegistry registry) {
        return Timer.builder(name).description(description).withRegistry(registry);
    }

    private static MeterProvider<Counter> counter(
            String name, String unit, String description, MeterRegistry registry) {
        return Counter.builder(name).baseUnit(unit).description(description).withRegistry(registry);
    }

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Acquired e) {
            acquired(e.subject().keys().get(0), LockOutcome.GRANTED, e.waited());
        } else if (event instanceof LockEvent.Refused e) {
            acquired(e.subject().keys().get(0), LockOutcome.REFUSED, Duration.ZERO);
        } else if (event instanceof LockEvent.TimedOut e) {
            acquired(e.subject().keys().get(0), LockOutcome.TIMEOUT, e.waited());
        } else if (event instanceof LockEvent.AcquireFailed e) { // a deadlock's too, so Deadlocked is not counted
            acquired(e.subject().keys().get(0), LockOutcome.of(e.error()), e.waited());
        } else if (event instanceof LockEvent.OrderViolated e) {
            violated(e);
        } else if (event instanceof LockEvent.Dropped e) {
            dropped.increment((double) e.count());
        } else {
            held(event);
        }
    }

    private void held(LockEvent event) {
        if (event instanceof LockEvent.Renewed e) {
            renewals.withTags(tags(e.subject()).and("outcome", "renewed")).increment();
            lag.withTags(tags(e.subject())).record(e.lag());
        } else if (event instanceof LockEvent.RenewalFailed e) {
            renewals.withTags(tags(e.subject()).and("outcome", "failed")).increment();
        } else if (event instanceof LockEvent.Lost e) {
            lost.withTags(tags(e.subject()).and("reason", text(e.loss().reason())))
                    .increment();
        } else if (event instanceof LockEvent.Released e) {
            hold.withTags(tags(e.subject()).and("outcome", text(e.outcome()))).record(e.held());
        } else if (event instanceof LockEvent.ReleaseFailed e) {
            failedReleases.withTags(tags(e.subject())).increment();
        }
    }

    private void violated(LockEvent.OrderViolated event) {
        LockKey asked = event.violation().asked().key();
        violations.withTags(tags(asked).and("policy", text(event.policy()))).increment();
        if (event.policy() == OrderPolicy.FAIL) { // with another policy the request proceeds, and is reported again
            acquired(asked, LockOutcome.VIOLATION, Duration.ZERO);
        }
    }

    private void acquired(LockKey first, LockOutcome outcome, Duration waited) {
        acquire.withTags(tags(first).and("outcome", outcome.text())).record(waited);
    }

    private Tags tags(Subject subject) {
        return tags(subject.keys().get(0));
    }

    private Tags tags(LockKey first) {
        return Tags.of("store", store, "kind", first.kind().prefix());
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return "lock meters";
    }
}
