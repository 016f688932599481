package dev.lockstep.redis;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Finds out whether a waiting request is part of a deadlock, across processes. The server shows who waits for whom in one step, so a cycle in
 * it is real. Everyone looks who waits while another waits for what it holds, as for at least one of a cycle; the youngest of those fails
 * itself.
 */
final class Cycles {
    private static final String MOST_WAITS = "500";

    private static final Comparator<LeaseRecord> YOUNGER =
            Comparator.comparing(LeaseRecord::since).thenComparing(LeaseRecord::id);

    private final RedisLink link;
    private final Life life;
    private final Supplier<CompletionStage<Kinds>> kinds;

    /** Someone in a waiting lease's way, the mode it has or waits for, and the waits that hold it up. */
    private record Blocker(String id, LockMode mode, boolean waits, List<String> heldUpBy) {}

    /** A waiting lease, and who is in its way. */
    private record Wait(LeaseRecord record, List<Blocker> blockers) {}

    /** One waiting lease on the way round: the one it waits for is {@code next}, through {@code blocker}. */
    private record Step(Wait waiting, Blocker blocker) {}

    Cycles(RedisLink link, Life life, Supplier<CompletionStage<Kinds>> kinds) {
        this.link = link;
        this.life = life;
        this.kinds = kinds;
    }

    /** The deadlock that this waiting lease is part of, if there is one. */
    CompletionStage<Optional<DeadlockReport>> find(String lease) {
        return link.call(Script.LOOK, life.longest(), life.greatest(), lease, MOST_WAITS)
                .thenApply(Cycles::read)
                .thenApply(waits -> shortest(lease, waits))
                .thenCompose(cycle -> cycle.isEmpty()
                        ? CompletableFuture.completedStage(Optional.empty())
                        : kinds.get().thenApply(known -> Optional.of(describe(cycle, known))));
    }

    private static Map<String, Wait> read(List<Object> reply) {
        Map<String, Wait> waits = new LinkedHashMap<>();
        for (int i = 0; i < reply.size(); ) {
            String id = (String) reply.get(i);
            LeaseRecord record = LeaseRecord.read(id, (String) reply.get(i + 1));
            int count = number(reply.get(i + 2));
            i += 3;
            List<Blocker> blockers = new ArrayList<>();
            for (int b = 0; b < count; b++) {
                int inner = number(reply.get(i + 2));
                List<String> heldUpBy = new ArrayList<>();
                reply.subList(i + 3, i + 3 + inner).forEach(each -> heldUpBy.add((String) each));
                String mode = (String) reply.get(i + 1);
                boolean waiting = mode.startsWith("+");
                blockers.add(new Blocker(
                        (String) reply.get(i),
                        LeaseRecord.mode(waiting ? mode.substring(1) : mode),
                        waiting,
                        heldUpBy));
                i += 3 + inner;
            }
            waits.put(id, new Wait(record, blockers));
        }
        return waits;
    }

    private static int number(Object integer) {
        return Math.toIntExact((Long) integer);
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
