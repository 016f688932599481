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
        for (Class<?> alert : Alert.class.getPermittedSubclasses()) {
            countAlerts(registry, alert.getSimpleName());
        }
        Gauge.builder(
                        "lockstep.inventory.inflight.commands",
                        inventory,
                        each -> each.figures().inFlight())
                .baseUnit("commands")
                .description("Commands in flight now")
                .strongReference(true)
                .register(registry);
        subscriptions.add(inventory.subscribe(new InventoryEventMeters(registry)));
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
