package dev.lockstep.redis;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.redis.WaitGraph.Blocker;
import dev.lockstep.redis.WaitGraph.Wait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Finds out whether a waiting request is part of a deadlock, across processes. Everyone looks who waits while another waits for what it
 * holds, as for at least one of a cycle; the youngest of those fails itself.
 */
final class Cycles {
    private static final Comparator<LeaseRecord> YOUNGER =
            Comparator.comparing(LeaseRecord::since).thenComparing(LeaseRecord::id);

    private final WaitGraph graph;
    private final Supplier<CompletionStage<Kinds>> kinds;

    /** One waiting lease on the way round: the one it waits for is {@code next}, through {@code blocker}. */
    private record Step(Wait waiting, Blocker blocker) {}

    Cycles(WaitGraph graph, Supplier<CompletionStage<Kinds>> kinds) {
        this.graph = graph;
        this.kinds = kinds;
    }

    /** The deadlock that this waiting lease is part of, if there is one. */
    CompletionStage<Optional<DeadlockReport>> find(String lease) {
        return look(lease)
                .thenCompose(cycle -> cycle.isEmpty() || graph.isOneMoment()
                        ? CompletableFuture.completedStage(cycle)
                        : stillThere(lease, cycle))
                .thenCompose(cycle -> cycle.isEmpty()
                        ? CompletableFuture.completedStage(Optional.empty())
                        : kinds.get().thenApply(known -> Optional.of(describe(cycle, known))));
    }

    private CompletionStage<List<Step>> look(String lease) {
        return graph.around(lease).thenApply(waits -> shortest(lease, waits));
    }

    /**
     * A view of several moments may show a cycle that never was. If it is seen twice, and the same waits are at the same places of the same
     * queues, each of them was there all the time between the two looks, and so were all at once.
     */
    private CompletionStage<List<Step>> stillThere(String lease, List<Step> cycle) {
        return look(lease).thenApply(again -> places(again).equals(places(cycle)) ? again : List.of());
    }

    private static List<String> places(List<Step> cycle) {
        return cycle.stream()
                .map(step -> step.waiting().record().id() + " "
                        + step.waiting().record().number() + " "
                        + step.blocker().id())
                .toList();
    }

    /** Breadth first, from the lease back to it; empty when there is no way back. */
    private static List<Step> shortest(String start, Map<String, Wait> waits) {
        Map<String, List<Step>> ways = new HashMap<>(Map.of(start, List.of()));
        Deque<String> open = new ArrayDeque<>(List.of(start));
        for (String id = open.poll(); id != null; id = open.poll()) {
            Wait wait = waits.get(id);
            if (wait == null) {
                continue;
            }
            for (Blocker blocker : wait.blockers()) {
                List<Step> way = new ArrayList<>(ways.getOrDefault(id, List.of()));
                way.add(new Step(wait, blocker));
                for (String next : blocker.heldUpBy()) {
                    if (next.equals(start)) {
                        return way;
                    }
                    if (ways.putIfAbsent(next, way) == null) {
                        open.add(next);
                    }
                }
            }
        }
        return List.of();
    }

    private static DeadlockReport describe(List<Step> cycle, Kinds kinds) {
        List<Participant> participants = new ArrayList<>();
        Map<UUID, LeaseRecord> records = new HashMap<>();
        for (int i = 0; i < cycle.size(); i++) {
            LeaseRecord record = cycle.get(i).waiting().record();
            records.put(record.id(), record);
            Step before = cycle.get((i + cycle.size() - 1) % cycle.size());
            participants.add(describe(cycle.get(i).waiting().record(), before, kinds));
        }
        LeaseRecord youngest = participants.stream()
                .filter(each -> !each.holds().isEmpty())
                .map(each -> records.get(each.leaseId()))
                .max(YOUNGER)
                .orElseThrow();
        return new DeadlockReport(participants, youngest.id());
    }

    private static Participant describe(LeaseRecord record, Step before, Kinds kinds) {
        PlannedLock heldAgainst = new PlannedLock(
                kinds.parse(before.waiting().record().awaitedKey()),
                before.blocker().mode());
        return new Participant(
                record.owner(),
                record.id(),
                before.blocker().waits() ? List.of() : List.of(heldAgainst),
                new PlannedLock(kinds.parse(record.awaitedKey()), record.awaitedMode()),
                record.since(),
                record.callSite());
    }
}
