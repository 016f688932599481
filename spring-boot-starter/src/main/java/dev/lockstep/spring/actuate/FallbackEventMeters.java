package dev.lockstep.spring.actuate;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.fallback.FallbackState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Counts what happens to a pair of stores, and times how long nothing was granted. Events come one after the other. */
final class FallbackEventMeters implements LockListener {
    private final Counter toSecondary;
    private final Counter toPrimary;
    private final Counter lost;
    private final Timer quiet;
    private @Nullable Instant quietSince;

    FallbackEventMeters(String store, MeterRegistry registry) {
        toSecondary = switches("secondary", store, registry);
        toPrimary = switches("primary", store, registry);
        lost = Counter.builder("lockstep.fallback.secondary.losses")
                .tag("store", store)
                .baseUnit("losses")
                .description("How often the fallback, which keeps the register, stopped responding")
                .register(registry);
        quiet = Timer.builder("lockstep.fallback.quiet")
                .tag("store", store)
                .description("How long nothing was granted after a switch")
                .register(registry);
    }

    private static Counter switches(String to, String store, MeterRegistry registry) {
        return Counter.builder("lockstep.fallback.switches")
                .tags("store", store, "to", to)
                .baseUnit("switches")
                .description("Switches from one store to the other, by which took over")
                .register(registry);
    }

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Switched switched) {
            of(switched.state()).increment();
            quietSince = quietSince == null ? event.at() : quietSince;
        } else if (event instanceof LockEvent.SwitchCompleted && quietSince != null) {
            quiet.record(Duration.between(quietSince, event.at()));
            quietSince = null;
        } else if (event instanceof LockEvent.SecondaryLost) {
            lost.increment();
        }
    }

    private Counter of(FallbackState state) {
        return state.onSecondary() ? toSecondary : toPrimary;
    }

    @Override
    public String toString() {
        return "fallback meters";
    }
}
