package dev.lockstep.etcd;

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
import java.util.UUID;

/**
 * Looks for the shortest cycle of waits that a lease is part of, breadth first. What waits at one key in one mode waits for the same entries up to its
 * own, so each entry of a key is visited once per mode.
 */
final class EntryCycleSearch {
    /** A waiting entry on the way round, and the one that it waits for. */
    record Step(StoredEntry waiting, StoredEntry blocker, boolean blockerWaits) {}

    private final EntryTable table;
    private final UUID start;
    private final Map<UUID, StoredEntry> waiters;
    private final Map<UUID, Step> ways = new HashMap<>();
    private final Deque<UUID> open = new ArrayDeque<>();
    private final Map<String, Integer> visited = new HashMap<>();

    EntryCycleSearch(EntryTable table, UUID start) {
        this.table = table;
        this.start = start;
        waiters = table.waiters();
    }

    /** From the start on; empty if there is none. */
    List<Step> find() {
        open.add(start);
        Set<UUID> done = new HashSet<>();
        for (UUID lease = open.poll(); lease != null; lease = open.poll()) {
            StoredEntry waiting = waiters.get(lease);
            if (waiting != null && done.add(lease) && reachThoseAhead(waiting)) {
                return wayRound();
            }
        }
        return List.of();
    }

    private boolean reachThoseAhead(StoredEntry waiting) {
        List<StoredEntry> queue = table.ofKey(waiting.key());
        String visits = waiting.mode() + " " + waiting.key();
        int from = visited.getOrDefault(visits, 0);
        for (int i = from; i < queue.size() && queue.get(i).created() < waiting.created(); i++) {
            visited.put(visits, i + 1);
            StoredEntry other = queue.get(i);
            if (waiting.isBehind(other) && reach(new Step(waiting, other, table.waits(other)))) {
                return true;
            }
        }
        return false;
    }

    private boolean reach(Step step) {
        UUID blocker = step.blocker().lease();
        List<UUID> next = step.blockerWaits() ? List.of(blocker) : table.heldUpBy(blocker);
        for (UUID lease : next) {
            if (ways.putIfAbsent(lease, step) == null) {
                if (lease.equals(start)) {
                    return true;
                }
                open.add(lease);
            }
        }
        return false;
    }

    private List<Step> wayRound() {
        List<Step> steps = new ArrayList<>();
        UUID lease = start;
        do {
            Step step = Objects.requireNonNull(ways.get(lease));
            steps.add(step);
            lease = step.waiting().lease();
        } while (!lease.equals(start));
        Collections.reverse(steps);
        return steps;
    }
}
