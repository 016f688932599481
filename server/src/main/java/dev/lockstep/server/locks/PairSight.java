package dev.lockstep.server.locks;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Knows of a pair of stores which is in use, and since when. It asks no server. */
@Component
final class PairSight implements LockListener {
    private final ObjectProvider<LockStore> store;
    private volatile @Nullable Instant since;
    private volatile @Nullable FallbackState last;

    PairSight(ObjectProvider<LockStore> store) {
        this.store = store;
    }

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Switched switched) {
            since = switched.at();
        }
    }

    /** Nothing of a single store. */
    Optional<FallbackView> view() {
        return store.getIfUnique() instanceof FallbackStore pair
                ? Optional.ofNullable(state(pair)).map(this::view)
                : Optional.empty();
    }

    FallbackView view(FallbackState state) {
        return FallbackView.of(state, since);
    }

    /** A pair that refuses for good throws; what people look for is that nothing is granted. */
    private @Nullable FallbackState state(FallbackStore pair) {
        try {
            FallbackState now = pair.state();
            last = now;
            return now;
        } catch (LockException e) {
            return stopped(last);
        }
    }

    private static @Nullable FallbackState stopped(@Nullable FallbackState known) {
        return known == null
                ? null
                : new FallbackState(
                        known.primary(),
                        known.secondary(),
                        known.onSecondary(),
                        known.epoch(),
                        Grants.STOPPED,
                        Duration.ZERO,
                        known.primaryReachable(),
                        known.secondaryReachable());
    }

    @Override
    public String toString() {
        return "which store is in use";
    }
}
