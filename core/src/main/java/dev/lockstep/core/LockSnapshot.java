package dev.lockstep.core;

import java.util.List;

/** Who holds what and who waits for what, as one store saw it a moment ago. */
public record LockSnapshot(List<HeldLock> holders, List<WaitingLock> waiters) {
    /** Keeps copies. */
    public LockSnapshot {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /** Whether nobody holds and nobody waits. */
    public boolean isEmpty() {
        return holders.isEmpty() && waiters.isEmpty();
    }
}
