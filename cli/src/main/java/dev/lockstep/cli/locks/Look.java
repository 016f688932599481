package dev.lockstep.cli.locks;

import dev.lockstep.core.HeldLock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.WaitingLock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Who held and who waited at a moment, in the order in which it is read: by key, then by age.
 *
 * @param at when, by the clock of this machine
 */
public record Look(Instant at, List<HeldLock> held, List<WaitingLock> waiting) {
    /** What a store saw now; of these kinds only, unless there are none. */
    public static Look of(LockSnapshot snapshot, List<String> kinds) {
        return new Look(
                Instant.now(),
                snapshot.holders().stream()
                        .filter(lock -> isOf(lock.key(), kinds))
                        .sorted(Comparator.comparing(
                                        (HeldLock lock) -> lock.key().toString())
                                .thenComparing(HeldLock::since))
                        .toList(),
                snapshot.waiters().stream()
                        .filter(lock -> isOf(lock.key(), kinds))
                        .sorted(Comparator.comparing(
                                        (WaitingLock lock) -> lock.key().toString())
                                .thenComparing(WaitingLock::since))
                        .toList());
    }

    private static boolean isOf(LockKey key, List<String> kinds) {
        return kinds.isEmpty() || kinds.contains(key.kind().prefix());
    }

    boolean isEmpty() {
        return held.isEmpty() && waiting.isEmpty();
    }
}
