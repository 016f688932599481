package dev.lockstep.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Who waits for whom across partitions, put together from what each of them knows. They are read one after the other. */
record MergedWaitGraph(RedisSight sight) implements WaitGraph {
    @Override
    public CompletionStage<Map<String, Wait>> around(String lease) {
        return sight.leases().thenApply(MergedWaitGraph::of);
    }

    @Override
    public boolean isOneMoment() {
        return false;
    }

    private static Map<String, Wait> of(List<LeaseRecord> leases) {
        Map<String, List<LeaseRecord>> holders = new HashMap<>();
        Map<String, List<LeaseRecord>> queues = new HashMap<>();
        Map<String, List<String>> heldUpBy = new HashMap<>();
        for (LeaseRecord lease : leases) { // in the order of the queues
            lease.keys().subList(0, lease.countHeld()).forEach(key -> add(holders, key, lease));
            if (lease.waits()) {
                String id = lease.id().toString();
                add(queues, lease.awaitedKey(), lease);
                add(heldUpBy, id, id); // its parts that are granted wait with it
                lease.outer().forEach(outer -> add(heldUpBy, outer, id));
            }
        }
        Map<String, Wait> waits = new HashMap<>();
        queues.forEach((key, queue) -> queue.forEach(lease -> {
            List<Blocker> blockers = holdersAgainst(lease, holders.getOrDefault(key, List.of()), heldUpBy);
            blockers.addAll(thoseAhead(lease, queue));
            waits.put(lease.id().toString(), new Wait(lease, blockers));
        }));
        return waits;
    }

    private static <T> void add(Map<String, List<T>> lists, String key, T value) {
        lists.computeIfAbsent(key, any -> new ArrayList<>()).add(value);
    }

    private static List<Blocker> holdersAgainst(
            LeaseRecord waiting, List<LeaseRecord> holders, Map<String, List<String>> heldUpBy) {
        List<Blocker> blockers = new ArrayList<>();
        for (LeaseRecord holder : holders) {
            var mode = holder.modes().get(holder.keys().indexOf(waiting.awaitedKey()));
            String id = holder.id().toString();
            if (!mode.compatibleWith(waiting.awaitedMode()) && heldUpBy.containsKey(id)) {
                blockers.add(new Blocker(id, mode, false, heldUpBy.get(id)));
            }
        }
        return blockers;
    }

    private static List<Blocker> thoseAhead(LeaseRecord waiting, List<LeaseRecord> queue) {
        List<Blocker> blockers = new ArrayList<>();
        for (LeaseRecord other : queue.subList(0, queue.indexOf(waiting))) {
            if (!other.awaitedMode().compatibleWith(waiting.awaitedMode())) {
                String id = other.id().toString();
                blockers.add(new Blocker(id, other.awaitedMode(), true, List.of(id)));
            }
        }
        return blockers;
    }
}
