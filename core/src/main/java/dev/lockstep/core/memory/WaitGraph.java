package dev.lockstep.core.memory;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreGrant;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Who waits for whom. The nodes are holders: a holder waits for another when one of its claims is queued behind a conflicting
 * hold, or a conflicting earlier request, of the other.
 *
 * <p>Every claim looks for a cycle right after it was queued, so the one that closes a cycle finds it. The first look takes one
 * shard's lock at a time and may see a cycle that never was; only what a second look at the standing table confirms counts.
 */
final class WaitGraph {
    /** By lease id when they began to wait at the same moment, so that all who look choose the same one. */
    private static final Comparator<Claim> YOUNGER =
            Comparator.comparingLong(Claim::since).thenComparing(claim -> claim.request.leaseId());

    private final LockTable table;
    private final LongFunction<Instant> wallTime;
    private final Map<Long, Set<Claim>> waiting = new ConcurrentHashMap<>();

    /** A proven cycle: the claims in it, each waiting for the next, and the youngest. */
    record Cycle(List<Claim> claims, Claim youngest, DeadlockReport report) {}

    /** Looks at a claim where it is queued; false when it isn't. */
    private interface Look {
        boolean at(Claim claim, Predicate<Hold> action);
    }

    WaitGraph(LockTable table, LongFunction<Instant> wallTime) {
        this.table = table;
        this.wallTime = wallTime;
    }

    void add(Claim claim) {
        waiting.compute(claim.request.holder(), (holder, claims) -> {
            Set<Claim> all = claims == null ? ConcurrentHashMap.newKeySet(1) : claims;
            all.add(claim);
            return all;
        });
    }

    void remove(Claim claim) {
        waiting.computeIfPresent(claim.request.holder(), (holder, claims) -> {
            claims.remove(claim);
            return claims.isEmpty() ? null : claims;
        });
    }

    List<Claim> waiting() {
        return waiting.values().stream().flatMap(Set::stream).toList();
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

    /** A holder for whom nobody waits is in no cycle. This spares a crowd at one key the search. */
    private boolean isWaitedFor(Claim claim) {
        if (claim.isWaitedFor()
                || waiting.getOrDefault(claim.request.holder(), Set.of()).size() > 1) {
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
        long home = start.request.holder();
        Map<Long, Claim> reachedBy = new HashMap<>();
        Deque<Long> open = new ArrayDeque<>(List.of(home));
        for (Long holder = open.poll(); holder != null; holder = open.poll()) {
            for (Claim claim : waiting.getOrDefault(holder, Set.of())) {
                for (Claim blocker : blockers(claim, look)) {
                    long next = blocker.request.holder();
                    if (next == home) {
                        return path(home, claim, reachedBy);
                    }
                    if (reachedBy.putIfAbsent(next, claim) == null) {
                        open.add(next);
                    }
                }
            }
        }
        return List.of();
    }

    private static List<Claim> path(long home, Claim last, Map<Long, Claim> reachedBy) {
        Deque<Claim> path = new ArrayDeque<>(List.of(last));
        for (Claim claim = last; claim.request.holder() != home; ) {
            claim = Objects.requireNonNull(reachedBy.get(claim.request.holder()));
            path.addFirst(claim);
        }
        return List.copyOf(path);
    }

    /** Looks at a claim where it is queued, when the whole table is standing still. */
    private static boolean standing(Claim claim, Predicate<Hold> action) {
        Hold hold = claim.queuedAt();
        return hold != null && action.test(hold);
    }

    private static List<Claim> blockers(Claim claim, Look look) {
        List<Claim> blockers = new ArrayList<>();
        look.at(claim, hold -> {
            hold.entry.forEachBlocker(hold.mode, hold, other -> blockers.add(other.claim));
            return true;
        });
        return blockers;
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
            at.entry.forEachHolder(hold -> {
                if (hold.claim.request.holder() == claim.request.holder()) {
                    holds.add(new PlannedLock(at.entry.key, hold.mode));
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
