package dev.lockstep.core.spi;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.PlannedLock;
import java.util.List;

/**
 * The locks could not be acquired in time.
 *
 * @param waitedFor the first lock that could not be acquired
 * @param blockers who was in the way, as far as the store knows
 */
public record StoreBusy(PlannedLock waitedFor, List<Blocker> blockers) implements StoreAnswer {
    /** Keeps a copy. */
    public StoreBusy {
        blockers = List.copyOf(blockers);
    }
}
