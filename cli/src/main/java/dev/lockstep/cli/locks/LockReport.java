package dev.lockstep.cli.locks;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.CallSite;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.WaitingLock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who held and who waited at a moment, in the order in which it is read: by key, then by age.
 *
 * @param at when, by the clock of the process that looked
 * @param notShown how many more there were, where a server lists only the oldest
 * @param pair which of two stores was in use, where one stands in for the other
 * @param complete whether the locks of all processes could be seen
 */
public record LockReport(
        Instant at, List<Held> held, List<Waiting> waiting, int notShown, Optional<Pair> pair, boolean complete) {
    /** Of all processes. */
    LockReport(Instant at, List<Held> held, List<Waiting> waiting, int notShown, Optional<Pair> pair) {
        this(at, held, waiting, notShown, pair, true);
    }

    /**
     * Which of two stores was in use.
     *
     * @param grants {@code yes}, {@code fenced}, {@code quiet} or {@code stopped}
     */
    public record Pair(String primary, String secondary, boolean onSecondary, long epoch, String grants) {
        String active() {
            return onSecondary ? secondary : primary;
        }
    }

    /** A lock that is held. */
    public record Held(
            String key,
            String mode,
            String owner,
            String leaseName,
            Instant since,
            Optional<Instant> expiresAt,
            Optional<String> callSite) {
        static Held of(HeldLock lock) {
            return new Held(
                    lock.key().toString(),
                    lock.mode().symbol(),
                    lock.owner(),
                    lock.leaseId().toString(),
                    lock.since(),
                    lock.expiresAt(),
                    lock.callSite().map(CallSite::toString));
        }
    }

    /** A request that waits. */
    public record Waiting(
            String key,
            String mode,
            String owner,
            String leaseName,
            Instant since,
            Optional<String> callSite,
            List<Behind> behind) {
        static Waiting of(WaitingLock lock) {
            return new Waiting(
                    lock.key().toString(),
                    lock.mode().symbol(),
                    lock.owner(),
                    lock.leaseId().toString(),
                    lock.since(),
                    lock.callSite().map(CallSite::toString),
                    lock.blockedBy().stream().map(Behind::of).toList());
        }
    }

    /** Who is in the way of a request. */
    public record Behind(String owner, String leaseName, String mode, Instant since, boolean waiting) {
        static Behind of(Blocker blocker) {
            return new Behind(
                    blocker.owner(),
                    blocker.leaseId().toString(),
                    blocker.mode().symbol(),
                    blocker.since(),
                    blocker.waiting());
        }
    }

    /** What a store saw now. */
    public static LockReport of(LockSnapshot snapshot) {
        return new LockReport(
                Instant.now(),
                snapshot.holders().stream().map(Held::of).toList(),
                snapshot.waiters().stream().map(Waiting::of).toList(),
                0,
                Optional.empty());
    }

    /** The same of two stores. */
    LockReport of(Pair stores) {
        return new LockReport(at, held, waiting, notShown, Optional.of(stores), complete);
    }

    /** The same of a store that doesn't show what other processes hold. */
    public LockReport incomplete() {
        return new LockReport(at, held, waiting, notShown, pair, false);
    }

    /** The same in order, and of these kinds only, unless there are none. */
    public LockReport ofKinds(List<String> kinds) {
        return new LockReport(
                at,
                held.stream()
                        .filter(lock -> isOf(lock.key(), kinds))
                        .sorted(Comparator.comparing(Held::key).thenComparing(Held::since))
                        .toList(),
                waiting.stream()
                        .filter(lock -> isOf(lock.key(), kinds))
                        .sorted(Comparator.comparing(Waiting::key).thenComparing(Waiting::since))
                        .toList(),
                notShown,
                pair,
                complete);
    }

    /** A key's kind is named before the colon of its last part. */
    private static boolean isOf(String key, List<String> kinds) {
        String last = key.substring(key.lastIndexOf('/') + 1);
        return kinds.isEmpty() || kinds.contains(last.substring(0, Math.max(0, last.indexOf(':'))));
    }

    /** Whether a lock of this kind is held or waited for, or one below it. */
    public boolean mentions(String kind) {
        return Stream.concat(held.stream().map(Held::key), waiting.stream().map(Waiting::key))
                .flatMap(key -> Stream.of(key.split("/", -1)))
                .anyMatch(part -> part.startsWith(kind + ":"));
    }

    /** Whether nothing was seen. */
    public boolean isEmpty() {
        return held.isEmpty() && waiting.isEmpty();
    }
}
