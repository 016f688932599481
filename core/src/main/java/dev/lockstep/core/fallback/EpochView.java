package dev.lockstep.core.fallback;

import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.core.spi.Epoch;

/** Whether locks are granted at a moment, and in which epoch. */
record EpochView(Epoch epoch, Grants grants) {
    boolean isGranting() {
        return grants.isGranting();
    }

    /** Whether what was granted in this epoch counts at the later moment of the other view. */
    boolean lastsUntil(EpochView later) {
        return later.isGranting() && later.epoch.number() == epoch.number();
    }
}
