package dev.lockstep.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The locks could not be acquired in time; nothing is held.
 *
 * @param key the first key that could not be acquired
 * @param blockers who was in the way, as far as the store knows
 */
public record Busy(LockKey key, LockMode mode, List<Blocker> blockers) implements Attempt {
    /** Keeps a copy. */
    public Busy {
        blockers = List.copyOf(blockers);
    }

    /** The owner label of the first one in the way. */
    public Optional<String> holder() {
        return blockers.stream().findFirst().map(Blocker::owner);
    }

    /** Since when the first one in the way has been there. */
    public Optional<Instant> since() {
        return blockers.stream().findFirst().map(Blocker::since);
    }
}
