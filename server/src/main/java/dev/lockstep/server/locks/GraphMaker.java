package dev.lockstep.server.locks;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.WaitingLock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Draws who waits for whom from a snapshot: those who wait, and those in their way. */
final class GraphMaker {
    private static final int MOST_WAITERS = 500;

    private final LockSnapshot snapshot;
    private final Function<UUID, String> nameOf;
    private final Instant now = Instant.now();
    private final Map<UUID, String> owners = new LinkedHashMap<>();
    private final Map<UUID, WaitingLock> waits = new LinkedHashMap<>();
    private final Map<UUID, List<String>> holds = new LinkedHashMap<>();
    private final Set<Graph.Edge> edges = new LinkedHashSet<>();

    private GraphMaker(LockSnapshot snapshot, Function<UUID, String> nameOf) {
        this.snapshot = snapshot;
        this.nameOf = nameOf;
    }

    static Graph of(LockSnapshot snapshot, Function<UUID, String> nameOf) {
        return new GraphMaker(snapshot, nameOf).draw();
    }

    private Graph draw() {
        snapshot.waiters().stream()
                .sorted(Comparator.comparing(WaitingLock::since))
                .limit(MOST_WAITERS)
                .forEach(this::addWaiter);
        for (HeldLock held : snapshot.holders()) {
            if (owners.containsKey(held.leaseId())) {
                holds.computeIfAbsent(held.leaseId(), any -> new ArrayList<>())
                        .add(held.key().toString());
            }
        }
        List<Graph.Node> nodes = owners.keySet().stream().map(this::node).toList();
        List<Graph.Edge> drawn = List.copyOf(edges);
        return new Graph(now, snapshot.waiters().size(), nodes, drawn, Cycles.in(drawn));
    }

    private void addWaiter(WaitingLock waiter) {
        owners.put(waiter.leaseId(), waiter.owner());
        waits.put(waiter.leaseId(), waiter);
        for (Blocker blocker : waiter.blockedBy()) {
            owners.putIfAbsent(blocker.leaseId(), blocker.owner());
            edges.add(new Graph.Edge(
                    nameOf.apply(waiter.leaseId()),
                    nameOf.apply(blocker.leaseId()),
                    waiter.key().toString(),
                    waiter.mode().symbol(),
                    blocker.waiting()));
        }
    }

    private Graph.Node node(UUID lease) {
        @Nullable WaitingLock waiter = waits.get(lease);
        return new Graph.Node(
                nameOf.apply(lease),
                owners.getOrDefault(lease, ""),
                holds.getOrDefault(lease, List.of()),
                waiter == null ? null : waiter.key().toString(),
                waiter == null ? null : BlockerView.age(waiter.since(), now));
    }
}
