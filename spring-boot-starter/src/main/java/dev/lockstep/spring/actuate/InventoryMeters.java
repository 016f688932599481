package dev.lockstep.spring.actuate;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/** Meters of an inventory: what it counts itself, and times and sizes from its events. */
public final class InventoryMeters implements MeterBinder, AutoCloseable {
    private final Inventory inventory;
    private final List<Locks.Subscription> subscriptions = new CopyOnWriteArrayList<>();

    /** Meters of this inventory, from when they are bound until this is closed. */
    public InventoryMeters(Inventory inventory) {
        this.inventory = inventory;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(
                registry,
                "lockstep.inventory.attempts",
                "attempts",
                "Transactions that were tried for one command alone",
                Tags.empty(),
                InventoryFigures::attempts);
        count(
                registry,
                "lockstep.inventory.conflicts",
                "conflicts",
                "Attempts that conflicted with others",
                Tags.empty(),
                InventoryFigures::conflicts);
        count(
                registry,
                "lockstep.inventory.memory.refusals",
                "refusals",
                "Reservations that were out of stock by what was remembered of the row",
                Tags.empty(),
                InventoryFigures::refusedFromMemory);
        for (Class<?> alert : Alert.class.getPermittedSubclasses()) {
            countAlerts(registry, alert.getSimpleName());
        }
        gauge(
                registry,
                "lockstep.inventory.inflight.commands",
                "commands",
                "Commands in flight now",
                InventoryFigures::inFlight);
        gauge(
                registry,
                "lockstep.inventory.queued.commands",
                "commands",
                "Commands that wait for their turn in a lane now",
                InventoryFigures::queued);
        gauge(
                registry,
                "lockstep.inventory.expiry.lag",
                "seconds",
                "How long the oldest reservation that the last sweep found had been expired",
                figures -> figures.expiryLag().toNanos() / 1e9);
        subscriptions.add(inventory.subscribe(new InventoryEventMeters(registry)));
    }

    private void gauge(
            MeterRegistry registry,
            String name,
            String unit,
            String description,
            ToDoubleFunction<InventoryFigures> figure) {
        Gauge.builder(name, inventory, each -> figure.applyAsDouble(each.figures()))
                .baseUnit(unit)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private void countAlerts(MeterRegistry registry, String alert) {
        count(
                registry,
                "lockstep.inventory.alerts",
                "alerts",
                "Alerts",
                Tags.of("alert", KebabCase.of(alert)),
                figures -> figures.alerts().getOrDefault(alert, 0L));
    }

    private void count(
            MeterRegistry registry,
            String name,
            String unit,
            String description,
            Tags tags,
            ToDoubleFunction<InventoryFigures> figure) {
        FunctionCounter.builder(name, inventory, each -> figure.applyAsDouble(each.figures()))
                .tags(tags)
                .baseUnit(unit)
                .description(description)
                .register(registry);
    }

    @Override
    public void close() {
        subscriptions.forEach(Locks.Subscription::close);
    }
}
