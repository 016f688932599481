package dev.lockstep.spring.actuate;

import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.fallback.FallbackStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Meters of a pair of stores: which is in use, whether it grants, how often they took turns, and how long nothing was granted. */
public final class FallbackMeters implements MeterBinder, AutoCloseable {
    private final FallbackStore pair;
    private final Locks locks;
    private final List<Locks.Subscription> subscriptions = new CopyOnWriteArrayList<>();

    /** Meters of this pair, on which these locks are. */
    public FallbackMeters(FallbackStore pair, Locks locks) {
        this.pair = pair;
        this.locks = locks;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "epoch", "The number that rises with each switch", Double.NaN, FallbackState::epoch);
        gauge(
                registry,
                "on.secondary",
                "1 while the fallback is the store in use, else 0",
                Double.NaN,
                state -> state.onSecondary() ? 1 : 0);
        gauge(
                registry,
                "granting",
                "1 while locks are granted, else 0",
                0,
                state -> state.grants().isGranting() ? 1 : 0);
        TimeGauge.builder("lockstep.fallback.quiet.left", this, TimeUnit.MILLISECONDS, FallbackMeters::quietMillis)
                .tag("store", pair.name())
                .description("For how long nothing is granted yet, at most, after a switch")
                .strongReference(true)
                .register(registry);
        subscriptions.add(locks.subscribe(new FallbackEventMeters(pair.name(), registry)));
    }

    private void gauge(
            MeterRegistry registry,
            String name,
            String description,
            double unknown,
            ToDoubleFunction<FallbackState> figure) {
        Gauge.builder("lockstep.fallback." + name, this, own -> own.figure(figure, unknown))
                .tag("store", pair.name())
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private double figure(ToDoubleFunction<FallbackState> figure, double unknown) {
        try {
            return figure.applyAsDouble(pair.state());
        } catch (LockException e) { // closed, or refused for good
            return unknown;
        }
    }

    private double quietMillis() {
        return figure(state -> (double) state.quietFor().toMillis(), Double.NaN);
    }

    @Override
    public void close() {
        subscriptions.forEach(Locks.Subscription::close);
    }
}
