package dev.lockstep.server.locks;

import dev.lockstep.core.fallback.FallbackState;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The schema Fallback in the API's document: which of two stores is in use. */
record FallbackView(
        String active,
        String primary,
        String secondary,
        boolean onSecondary,
        long epoch,
        String grants,
        long quietMs,
        @Nullable Instant since,
        boolean primaryReachable,
        boolean secondaryReachable) {
    static FallbackView of(FallbackState state, @Nullable Instant since) {
        return new FallbackView(
                state.active(),
                state.primary(),
                state.secondary(),
                state.onSecondary(),
                state.epoch(),
                state.grants().name().toLowerCase(Locale.ROOT),
                state.quietFor().toMillis(),
                since,
                state.primaryReachable(),
                state.secondaryReachable());
    }
}
