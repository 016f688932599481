package dev.lockstep.core;

import dev.lockstep.core.fallback.FallbackState;
import java.util.List;
import java.util.Optional;

/**
 * Who holds what and who waits for what, as one store saw it a moment ago.
 *
 * @param fallback which of two stores is in use, where one stands in for the other
 */
public record LockSnapshot(List<HeldLock> holders, List<WaitingLock> waiters, Optional<FallbackState> fallback) {
    /** A look at a single store. */
    public LockSnapshot(List<HeldLock> holders, List<WaitingLock> waiters) {
        this(holders, waiters, Optional.empty());
    }

    /** Keeps copies. */
    public LockSnapshot {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /** The same as part of a pair in this state. */
    public LockSnapshot in(FallbackState state) {
        return new LockSnapshot(holders, waiters, Optional.of(state));
    }

    /** Whether there are no holders and no waiters. */
    public boolean isEmpty() {
        return holders.isEmpty() && waiters.isEmpty();
    }
}
