package dev.lockstep.redis;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.redis.RedisWaitGraph.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Finds out whether a waiting request is part of a deadlock, across processes. Every request looks that waits while another one waits for
 * what it holds, as at least one of a cycle does; the youngest of those fails.
 */
final class DeadlockSearch {
    private static final Comparator<StoredLease> YOUNGER =
            Comparator.comparing(StoredLease::since).thenComparing(StoredLease::id);

    private final RedisWaitGraph graph;
    private final Supplier<CompletionStage<Kinds>> kinds;

    DeadlockSearch(RedisWaitGraph graph, Supplier<CompletionStage<Kinds>> kinds) {
        this.graph = graph;
        this.kinds = kinds;
    }

    /** The deadlock that this waiting lease is part of, if there is one. */
    CompletionStage<Optional<DeadlockReport>> find(String lease) {
        return graph.cycleOf(lease)
                .thenCompose(cycle -> cycle.isEmpty() || graph.isOneMoment()
                        ? CompletableFuture.completedStage(cycle)
                        : stillThere(lease, cycle))
                .thenCompose(cycle -> cycle.isEmpty()
                        ? CompletableFuture.completedStage(Optional.empty())
                        : kinds.get().thenApply(known -> Optional.of(describe(cycle, known))));
    }

    /**
     * A view of several moments may show a cycle that never was. If it is seen twice, and the same waits are at the same places of the same
     * queues, each of them was there all the time between the two looks, and so were all at once.
     */
    private CompletionStage<List<Step>> stillThere(String lease, List<Step> cycle) {
        return graph.cycleOf(lease).thenApply(again -> places(again).equals(places(cycle)) ? again : List.of());
    }

    private static List<String> places(List<Step> cycle) {
        return cycle.stream()
                .map(step -> step.waiting().id() + " "
                        + step.waiting().number() + " "
                        + step.blocker().id())
                .toList();
    }

    private static DeadlockReport describe(List<Step> cycle, Kinds kinds) {
        List<Participant> participants = new ArrayList<>();
        Map<UUID, StoredLease> records = new HashMap<>();
        for (int i = 0; i < cycle.size(); i++) {
            StoredLease record = cycle.get(i).waiting();
            records.put(record.id(), record);
            Step before = cycle.get((i + cycle.size() - 1) % cycle.size());
            participants.add(describe(cycle.get(i).waiting(), before, kinds));
        }
        StoredLease youngest = participants.stream()
                .filter(each -> !each.holds().isEmpty())
                .map(each -> records.get(each.leaseId()))
                .max(YOUNGER)
                .orElseThrow();
        return new DeadlockReport(participants, youngest.id());
    }

    private static Participant describe(StoredLease record, Step before, Kinds kinds) {
        PlannedLock heldAgainst = new PlannedLock(
                kinds.parse(before.waiting().awaitedKey()), before.blocker().mode());
        return new Participant(
                record.owner(),
                record.id(),
                before.blocker().waits() ? List.of() : List.of(heldAgainst),
                new PlannedLock(kinds.parse(record.awaitedKey()), record.awaitedMode()),
                record.since(),
                record.callSite());
    }
}
