package dev.lockstep.redis;

import dev.lockstep.core.LockMode;
import dev.lockstep.redis.RedisWaitGraph.Blocker;
import dev.lockstep.redis.RedisWaitGraph.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Looks for the shortest cycle that a waiting lease is part of, breadth first, as {@code look.lua} does on one server. Leases that wait at
 * the same lock in the same mode wait for the same ones, so each lock is visited once per mode, and the effort grows with the number of
 * leases and not with its square.
 */
final class CycleSearch {
    private final String start;
    private final Map<String, StoredLease> waiting = new HashMap<>();
    private final Map<String, List<StoredLease>> holders = new HashMap<>();
    private final Map<String, List<StoredLease>> queues = new HashMap<>();
    private final Map<String, Integer> ranks = new HashMap<>();
    private final Map<String, List<String>> heldUpBy = new HashMap<>();

    /** How each waiting lease was reached: the step that led to it. */
    private final Map<String, Step> ways = new HashMap<>();

    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> visitedHolders = new HashSet<>();
    /** By mode and key: those before this rank were visited. */
    private final Map<String, Integer> visitedRanks = new HashMap<>();

    /** The leases are in the order of the queues. */
    CycleSearch(List<StoredLease> leases, String start) {
        this.start = start;
        for (StoredLease lease : leases) {
            lease.keys().subList(0, lease.countHeld()).forEach(key -> add(holders, key, lease));
            if (lease.waits()) {
                String id = lease.id().toString();
                waiting.put(id, lease);
                List<StoredLease> queue = queues.computeIfAbsent(lease.awaitedKey(), any -> new ArrayList<>());
                ranks.put(id, queue.size());
                queue.add(lease);
                add(heldUpBy, id, id); // its slices that are granted wait with it
                lease.outer().forEach(outer -> add(heldUpBy, outer, id));
            }
        }
    }

    private static <T> void add(Map<String, List<T>> lists, String key, T value) {
        lists.computeIfAbsent(key, any -> new ArrayList<>()).add(value);
    }

    List<Step> find() {
        open.add(start);
        for (String id = open.poll(); id != null; id = open.poll()) {
            StoredLease lease = waiting.get(id);
            if (lease != null && (reachHolders(lease) || reachThoseAhead(lease))) {
                return wayRound();
            }
        }
        return List.of();
    }

    private boolean reachHolders(StoredLease lease) {
        String key = lease.awaitedKey();
        if (!visitedHolders.add(lease.awaitedMode() + " " + key)) {
            return false;
        }
        for (StoredLease holder : holders.getOrDefault(key, List.of())) {
            LockMode mode = holder.modes().get(holder.keys().indexOf(key));
            String id = holder.id().toString();
            if (!mode.compatibleWith(lease.awaitedMode())
                    && !holder.id().equals(lease.id())
                    && reach(new Step(lease, new Blocker(id, mode, false)), heldUpBy.getOrDefault(id, List.of()))) {
                return true;
            }
        }
        return false;
    }

    /** Those that were visited for another lease in the same mode were reached from that one. */
    private boolean reachThoseAhead(StoredLease lease) {
        List<StoredLease> queue = queues.getOrDefault(lease.awaitedKey(), List.of());
        int rank = ranks.getOrDefault(lease.id().toString(), 0);
        String visits = lease.awaitedMode() + " " + lease.awaitedKey();
        int visited = visitedRanks.getOrDefault(visits, 0);
        visitedRanks.put(visits, Math.max(visited, rank));
        for (int i = visited; i < rank; i++) {
            StoredLease other = queue.get(i);
            String id = other.id().toString();
            if (!other.awaitedMode().compatibleWith(lease.awaitedMode())
                    && reach(new Step(lease, new Blocker(id, other.awaitedMode(), true)), List.of(id))) {
                return true;
            }
        }
        return false;
    }

    private boolean reach(Step step, List<String> waits) {
        for (String id : waits) {
            if (ways.putIfAbsent(id, step) == null) {
                if (id.equals(start)) {
                    return true;
                }
                open.add(id);
            }
        }
        return false;
    }

    private List<Step> wayRound() {
        List<Step> steps = new ArrayList<>();
        String id = start;
        do {
            Step step = Objects.requireNonNull(ways.get(id));
            steps.add(step);
            id = step.waiting().id().toString();
        } while (!id.equals(start));
        Collections.reverse(steps);
        return steps;
    }
}
