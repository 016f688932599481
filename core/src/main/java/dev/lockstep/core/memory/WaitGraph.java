package dev.lockstep.core.memory;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Who waits for whom. The nodes are waiting claims: one waits for another when it is queued behind a conflicting request of the
 * other, or behind a conflicting hold that won't be released before the other's wait has ended.
 *
 * <p>Every claim that has waited for a moment looks for a cycle, so the last one of a cycle to do so finds it. The first look takes one
 * shard's lock at a time and may see a cycle that never was; only what a second look at the standing table confirms counts.
 */
final class WaitGraph {
    /** By lease id when they began to wait at the same moment, so that all who look choose the same one. */
    private static final Comparator<Claim> YOUNGER =
            Comparator.comparingLong(Claim::since).thenComparing(claim -> claim.request.leaseId());

    private final LockTable table;
    private final LongFunction<Instant> wallTime;
    private final Map<Long, Map<UUID, Claim>> waiting = new ConcurrentHashMap<>();

    /** A proven cycle: the claims in it, each waiting for the next, and the youngest. */
    record Cycle(List<Claim> claims, Claim youngest, DeadlockReport report) {}

    /** Looks at a claim where it is queued; false when it isn't. */
    private interface Look {
        boolean at(Claim claim, Predicate<EntryHold> action);
    }

    WaitGraph(LockTable table, LongFunction<Instant> wallTime) {
        this.table = table;
        this.wallTime = wallTime;
    }

    void add(Claim claim) {
        waiting.compute(claim.request.holder(), (holder, claims) -> {
            Map<UUID, Claim> all = claims == null ? new ConcurrentHashMap<>(1) : claims;
            all.put(claim.request.leaseId(), claim);
            return all;
        });
    }

    void remove(Claim claim) {
        waiting.computeIfPresent(claim.request.holder(), (holder, claims) -> {
            claims.remove(claim.request.leaseId(), claim);
            return claims.isEmpty() ? null : claims;
        });
    }

    /** The wait of a request, if it is in one. */
    Optional<Claim> find(StoreRequest request) {
        return Optional.ofNullable(
                waiting.getOrDefault(request.holder(), Map.of()).get(request.leaseId()));
    }

    List<Claim> waiting() {
        return waiting.values().stream()
                .flatMap(claims -> claims.values().stream())
                .toList();
    }

    /** The cycle that a queued claim is part of, if there is one. */
    Optional<Cycle> findCycle(Claim claim) {
        if (!isWaitedFor(claim) || shortestCycle(claim, table::whileQueued).isEmpty()) {
            return Optional.empty();
        }
        return table.exclusively(() -> Optional.of(shortestCycle(claim, WaitGraph::standing))
                .filter(claims -> !claims.isEmpty())
                .map(this::describe));
    }

    /** A holder without waiters is in no cycle. This spares a crowd at one key the search. */
    private boolean isWaitedFor(Claim claim) {
        if (claim.isWaitedFor()) {
            return true;
        }
        for (StoreGrant grant : claim.request.outer()) {
            if (grant instanceof Claim outer && outer.isWaitedFor()) {
                return true;
            }
        }
        return false;
    }

    /** Breadth first, from the claim's holder back to it; empty when there is no way back. */
    private List<Claim> shortestCycle(Claim start, Look look) {
        Map<Claim, Claim> reachedFrom = new HashMap<>();
        Map<LockEntry, Long> reported = new HashMap<>();
        Deque<Claim> open = new ArrayDeque<>(List.of(start));
        for (Claim claim = open.poll(); claim != null; claim = open.poll()) {
            for (Claim blocker : blockers(claim, reported, look)) {
                for (Claim next : whatHoldsUp(blocker)) {
                    if (next == start) {
                        return path(start, claim, reachedFrom);
                    }
                    if (reachedFrom.putIfAbsent(next, claim) == null) {
                        open.add(next);
                    }
                }
            }
        }
        return List.of();
    }

    /** The waits without which a claim would continue: its own or, once granted, those its holder entered while it had it. */
    private List<Claim> whatHoldsUp(Claim blocker) {
        if (blocker.queuedAt() != null) {
            return List.of(blocker);
        }
        return waiting.getOrDefault(blocker.request.holder(), Map.of()).values().stream()
                .filter(claim -> claim.request.outer().contains(blocker))
                .toList();
    }

    private static List<Claim> path(Claim start, Claim last, Map<Claim, Claim> reachedFrom) {
        Deque<Claim> path = new ArrayDeque<>(List.of(last));
        for (Claim claim = last; claim != start; ) {
            claim = Objects.requireNonNull(reachedFrom.get(claim));
            path.addFirst(claim);
        }
        return List.copyOf(path);
    }

    /** Looks at a claim where it is queued, when the whole table is standing still. */
    private static boolean standing(Claim claim, Predicate<EntryHold> action) {
        EntryHold hold = claim.queuedAt();
        return hold != null && action.test(hold);
    }

    /**
     * Who is in a claim's way. An exclusive waiter has reported all requests ahead of it, so those behind {@code reported} needn't report
     * again; without that, a crowd at one key would make the search cubic.
     */
    private static List<Claim> blockers(Claim claim, Map<LockEntry, Long> reported, Look look) {
        List<Claim> blockers = new ArrayList<>();
        look.at(claim, hold -> {
            if (claim.place() >= reported.getOrDefault(hold.entry, 0L)) {
                hold.entry.forEachBlocker(hold.mode, hold, other -> addUnlessOver(other.claim, blockers));
                if (hold.mode == LockMode.EXCLUSIVE) {
                    reported.merge(hold.entry, claim.place(), Math::max);
                }
            }
            return true;
        });
        return blockers;
    }

    /** A lease that its holder no longer counts on ends by itself, so waiting for it is no deadlock. */
    private static void addUnlessOver(Claim claim, List<Claim> blockers) {
        if (!claim.request.isOver()) {
            blockers.add(claim);
        }
    }

    private Cycle describe(List<Claim> claims) {
        Claim youngest = claims.stream().max(YOUNGER).orElseThrow();
        List<Participant> participants = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            Claim previous = claims.get((i + claims.size() - 1) % claims.size());
            participants.add(describe(claims.get(i), previous));
        }
        return new Cycle(claims, youngest, new DeadlockReport(participants, youngest.request.leaseId()));
    }

    private Participant describe(Claim claim, Claim previous) {
        List<PlannedLock> holds = new ArrayList<>();
        standing(previous, at -> {
            at.entry.forEachHolding((holder, mode) -> {
                if (holder.request.holder() == claim.request.holder()) {
                    holds.add(new PlannedLock(at.entry.key, mode));
                }
            });
            return true;
        });
        return new Participant(
                claim.request.owner(),
                claim.request.leaseId(),
                List.copyOf(holds),
                claim.nextLock(),
                wallTime.apply(claim.since()),
                claim.request.callSite());
    }
}
