package dev.lockstep.spring.actuate;

import dev.lockstep.core.LockFigures;
import dev.lockstep.core.Locks;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;

/** Meters of locks, made of their events. Tags have few values: the store, the kind of a request's first key, how it ended. */
public final class LockMeters implements MeterBinder, AutoCloseable {
    private final Locks locks;
    private final List<Locks.Subscription> subscriptions = new CopyOnWriteArrayList<>();

    /** Meters of these locks, from when they are bound until this is closed. */
    public LockMeters(Locks locks) {
        this.locks = locks;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "lockstep.held.leases", "leases", "Leases that this process holds now", LockFigures::held);
        gauge(
                registry,
                "lockstep.waiting.requests",
                "requests",
                "Requests of this process that wait now",
                LockFigures::waiting);
        subscriptions.add(locks.subscribe(new LockEventMeters(locks.storeName(), registry)));
    }

    private void gauge(
            MeterRegistry registry, String name, String unit, String description, ToIntFunction<LockFigures> figure) {
        Gauge.builder(name, locks, each -> figure.applyAsInt(each.figures()))
                .tag("store", locks.storeName())
                .baseUnit(unit)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void close() {
        subscriptions.forEach(Locks.Subscription::close);
    }
}
