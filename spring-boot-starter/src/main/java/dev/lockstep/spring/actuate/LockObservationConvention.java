package dev.lockstep.spring.actuate;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.List;
import java.util.stream.Collectors;

/** What observations of locks say. Make a bean of a subclass to have them say something else. */
public class LockObservationConvention implements ObservationConvention<LockObservationContext> {
    private static final int MOST_KEYS = 10;

    /** What Lockstep says by itself. */
    public LockObservationConvention() {}

    @Override
    public final boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext;
    }

    @Override
    public String getContextualName(LockObservationContext context) {
        return switch (context.phase()) {
            case ACQUIRE -> "acquire " + kind(context);
            case HOLD -> "hold " + kind(context);
        };
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of("store", context.store(), "kind", kind(context), "outcome", context.outcome());
    }

    private static String kind(LockObservationContext context) {
        return context.request().keys().get(0).kind().prefix();
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
        KeyValues known = KeyValues.of("lockstep.keys", keys(context.request()));
        known = context.lease()
                .map(lease -> lease.owner())
                .or(() -> context.request().owner())
                .map(owner -> KeyValues.of("lockstep.owner", owner))
                .map(known::and)
                .orElse(known);
        known = known.and(context.lease()
                .map(lease -> KeyValues.of("lockstep.lease.id", lease.id().toString()))
                .orElse(KeyValues.empty()));
        return known.and(context.busy()
                .map(busy -> KeyValues.of(
                        KeyValue.of("lockstep.busy.key", busy.key().toString()),
                        KeyValue.of("lockstep.blocker", blockers(busy.blockers()))))
                .orElse(KeyValues.empty()));
    }

    private static String keys(LockRequest request) {
        List<LockKey> keys = request.keys();
        String first = keys.stream().limit(MOST_KEYS).map(LockKey::toString).collect(Collectors.joining(", "));
        return keys.size() <= MOST_KEYS ? first : first + " and " + (keys.size() - MOST_KEYS) + " more";
    }

    private static String blockers(List<Blocker> blockers) {
        return blockers.isEmpty()
                ? "unknown"
                : blockers.stream().limit(MOST_KEYS).map(Blocker::toString).collect(Collectors.joining(", "));
    }
}
