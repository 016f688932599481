package dev.lockstep.spring.actuate;

import dev.lockstep.core.LockException;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.fallback.FallbackState;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** What a pair of stores adds to health. */
@FunctionalInterface
interface PairHealth {
    /** Of a single store. */
    PairHealth NONE = health -> {};

    /** Adds it to what the doctor found. */
    void tell(Health.Builder health);

    /** Of a pair in this state. */
    static PairHealth of(Supplier<FallbackState> state) {
        return health -> {
            try {
                tell(health, state.get());
            } catch (LockException e) {
                health.down().withDetail("fallback", Map.of("reason", Finding.reason(e)));
            }
        };
    }

    private static void tell(Health.Builder health, FallbackState state) {
        health.withDetail("fallback", details(state));
        if (!state.grants().isGranting() && health.build().getStatus().equals(Status.UP)) {
            health.outOfService();
        }
    }

    private static Map<String, Object> details(FallbackState state) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("active", state.active());
        details.put("epoch", state.epoch());
        details.put("grants", state.grants().name().toLowerCase(Locale.ROOT));
        details.put("quietForMillis", state.quietFor().toMillis());
        details.put("primaryReachable", state.primaryReachable());
        details.put("secondaryReachable", state.secondaryReachable());
        if (state.grants() == FallbackState.Grants.FENCED) {
            details.put(
                    "warning",
                    state.secondary()
                            + " can't be reached, so another process may have switched without this one's knowledge."
                            + " Only fencing tokens tell who is late.");
        }
        return details;
    }
}
