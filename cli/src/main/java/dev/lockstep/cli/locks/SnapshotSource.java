package dev.lockstep.cli.locks;

import java.util.Optional;
import java.util.Set;

/** Where locks can be seen: a store, or a server. */
@FunctionalInterface
public interface SnapshotSource {
    /** Who holds and who waits now. */
    LockReport look();

    /** The kinds that are known there; empty where that is unknown. */
    default Optional<Set<String>> kinds() {
        return Optional.empty();
    }
}
