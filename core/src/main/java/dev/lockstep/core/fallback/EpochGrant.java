package dev.lockstep.core.fallback;

import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.StoreGrant;

/** A grant of one of the two stores, with the epoch in which it was given. */
record EpochGrant(long epoch, Epoch.Side side, StoreGrant inner) implements StoreGrant {
    @Override
    public long token() {
        return inner.token();
    }
}
