package dev.lockstep.redis;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.WaitingLock;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Who holds and who waits, in all processes. Read in portions, so that a server with many leases is not held up. */
final class RedisLockInspector {
    private static final int MOST_BLOCKERS = 16;
    private static final int PORTION = 500;
    private static final String DOING = "Reading who holds and who waits";

    private final Servers servers;
    private final Partitions partitions;
    private final RedisKinds kinds;

    /** One lease at one lock. */
    private record Stand(StoredLease lease, LockMode mode, boolean waits) {}

    RedisLockInspector(Servers servers, Partitions partitions, RedisKinds kinds) {
        this.servers = servers;
        this.partitions = partitions;
        this.kinds = kinds;
    }

    LockSnapshot snapshot() {
        requireAllPartitions();
        List<StoredLease> leases = servers.answers().await(leases(), DOING);
        if (leases.isEmpty()) {
            return new LockSnapshot(List.of(), List.of());
        }
        Kinds known = kinds.all();
        Map<String, List<Stand>> byKey = byKey(leases);
        List<HeldLock> holders = new ArrayList<>();
        List<WaitingLock> waiters = new ArrayList<>();
        for (StoredLease lease : leases) {
            for (int i = 0; i < lease.countHeld(); i++) {
                holders.add(new HeldLock(
                        known.parse(lease.keys().get(i)),
                        lease.modes().get(i),
                        lease.owner(),
                        lease.id(),
                        lease.since(),
                        lease.expiresAt(),
                        lease.callSite()));
            }
            if (lease.waits()) {
                waiters.add(waiter(lease, known, byKey));
            }
        }
        return new LockSnapshot(holders, waiters);
    }

    /** A store that only inspects has declared nothing, so it does not know that there are more partitions than it believes. */
    private void requireAllPartitions() {
        if (partitions.isCluster()) {
            Partition first = partitions.all().get(0);
            @Nullable
            String recorded = servers.answers().await(memory(first), DOING).get("partitions");
            if (recorded != null) {
                first.generation().requirePartitions(recorded);
            }
        }
    }

    private CompletionStage<Map<String, String>> memory(Partition partition) {
        return servers.send(partition, redis -> redis.hgetall(partition.keys().memory()));
    }

    /** Those that have not expired, by the clocks of their servers; in the order of the queues. */
    CompletionStage<List<StoredLease>> leases() {
        return Stages.all(partitions.all(), this::leases)
                .thenApply(all -> all.stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparingLong(StoredLease::number))
                        .toList());
    }

    private CompletionStage<List<StoredLease>> leases(Partition partition) {
        return servers.send(partition, redis -> redis.time()).thenCompose(time -> {
            long now = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
            return scan(partition, ScanCursor.INITIAL, new HashMap<>())
                    .thenCompose(records -> records.isEmpty()
                            ? CompletableFuture.completedStage(List.of())
                            : memory(partition).thenApply(memory -> unexpired(records, memory, now)));
        });
    }

    private static List<StoredLease> unexpired(Map<String, String> records, Map<String, String> memory, long now) {
        return records.entrySet().stream()
                .map(each -> StoredLease.read(each.getKey(), each.getValue()))
                .filter(lease -> lease.expiryMicros() > now || (lease.waits() && keepsPlace(lease, memory, now)))
                .toList();
    }

    /** Whether the heartbeats of its process keep the place of a waiting lease: not one from before the namespace lost its memory. */
    private static boolean keepsPlace(StoredLease lease, Map<String, String> memory, long now) {
        String keptUntil = memory.getOrDefault("process:" + lease.process(), "0");
        return Long.parseLong(keptUntil.split(" ", -1)[0]) > now
                && lease.number() > Long.parseLong(memory.getOrDefault("birth", "0"));
    }

    private CompletionStage<Map<String, String>> scan(
            Partition partition, ScanCursor from, Map<String, String> records) {
        String leases = partition.keys().leases();
        return servers.send(partition, redis -> redis.hscan(leases, from, ScanArgs.Builder.limit(PORTION)))
                .thenCompose(portion -> {
                    records.putAll(portion.getMap());
                    return portion.isFinished()
                            ? CompletableFuture.completedStage(records)
                            : scan(partition, portion, records);
                });
    }

    private static Map<String, List<Stand>> byKey(List<StoredLease> leases) {
        Map<String, List<Stand>> byKey = new HashMap<>();
        for (StoredLease lease : leases) {
            for (int i = 0; i < lease.countHeld(); i++) {
                add(byKey, lease.keys().get(i), new Stand(lease, lease.modes().get(i), false));
            }
        }
        for (StoredLease lease : leases) {
            if (lease.waits()) {
                add(byKey, lease.awaitedKey(), new Stand(lease, lease.awaitedMode(), true));
            }
        }
        return byKey;
    }

    private static void add(Map<String, List<Stand>> byKey, String key, Stand stand) {
        byKey.computeIfAbsent(key, any -> new ArrayList<>()).add(stand);
    }

    private static WaitingLock waiter(StoredLease lease, Kinds known, Map<String, List<Stand>> byKey) {
        List<Blocker> blockers = new ArrayList<>();
        for (Stand other : byKey.getOrDefault(lease.awaitedKey(), List.of())) {
            if (other.lease().id().equals(lease.id()) || blockers.size() == MOST_BLOCKERS) {
                break; // what comes now waits behind it
            }
            if (!other.mode().compatibleWith(lease.awaitedMode())) {
                blockers.add(new Blocker(
                        other.lease().owner(),
                        other.lease().id(),
                        other.mode(),
                        other.lease().since(),
                        other.waits()));
            }
        }
        return new WaitingLock(
                known.parse(lease.awaitedKey()),
                lease.awaitedMode(),
                lease.owner(),
                lease.id(),
                lease.since(),
                blockers,
                lease.callSite());
    }
}
