package dev.lockstep.spring.actuate;

import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.InventoryListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;

/** Times and sizes the events of an inventory. */
final class InventoryEventMeters implements InventoryListener {
    private final MeterProvider<Timer> answers;
    private final MeterProvider<Counter> changes;
    private final Timer locked;
    private final DistributionSummary batch;
    private final Counter dropped;

    InventoryEventMeters(MeterRegistry registry) {
        answers = Timer.builder("lockstep.inventory.answer")
                .description("How long commands took, by outcome")
                .withRegistry(registry);
        changes = Counter.builder("lockstep.inventory.strategy.changes")
                .baseUnit("changes")
                .description("Changes of a stock's strategy")
                .withRegistry(registry);
        locked = Timer.builder("lockstep.inventory.locked")
                .description("How long a transaction had its rows locked")
                .register(registry);
        batch = DistributionSummary.builder("lockstep.inventory.batch.commands")
                .baseUnit("commands")
                .description("How many commands were committed together")
                .register(registry);
        dropped = Counter.builder("lockstep.inventory.dropped.events")
                .baseUnit("events")
                .description("Events that came too fast to be counted, so that the other meters have missed them")
                .register(registry);
    }

    @Override
    public void on(InventoryEvent event) {
        if (event instanceof InventoryEvent.Answered e) {
            answers.withTags(Tags.of("command", KebabCase.of(e.command()), "outcome", KebabCase.of(e.outcome())))
                    .record(e.took());
        } else if (event instanceof InventoryEvent.Committed e) {
            batch.record(e.commands());
            locked.record(e.locked());
        } else if (event instanceof InventoryEvent.StrategyChanged e) {
            changes.withTag("to", e.to().name().toLowerCase(Locale.ROOT)).increment();
        } else if (event instanceof InventoryEvent.Dropped e) {
            dropped.increment((double) e.count());
        }
    }

    @Override
    public String toString() {
        return "inventory meters";
    }
}
