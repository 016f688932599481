package dev.lockstep.redis;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.WaitingLock;
import io.lettuce.core.MapScanCursor;
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
final class RedisSight {
    private static final int MOST_BLOCKERS = 16;
    private static final int PORTION = 500;
    private static final String DOING = "Reading who holds and who waits";

    private final Servers servers;
    private final Partitions partitions;
    private final RedisKinds kinds;

    /** One lease at one lock. */
    private record Stand(LeaseRecord lease, LockMode mode, boolean waits) {}

    RedisSight(Servers servers, Partitions partitions, RedisKinds kinds) {
        this.servers = servers;
        this.partitions = partitions;
        this.kinds = kinds;
    }

    LockSnapshot snapshot() {
        requireAllPartitions();
        List<LeaseRecord> leases = servers.answers().await(leases(), DOING);
        if (leases.isEmpty()) {
            return new LockSnapshot(List.of(), List.of());
        }
        Kinds known = kinds.all();
        Map<String, List<Stand>> byKey = byKey(leases);
        List<HeldLock> holders = new ArrayList<>();
        List<WaitingLock> waiters = new ArrayList<>();
        for (LeaseRecord lease : leases) {
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

    /** Who only looks has declared nothing, so nobody told it that there are more partitions than it believes. */
    private void requireAllPartitions() {
        if (!partitions.isOne()) {
            Partition first = partitions.all().get(0);
            MapScanCursor<String, String> memory = servers.answers()
                    .await(servers.send(first, redis -> redis.hscan(first.keys().memory())), DOING);
            @Nullable String recorded = memory.getMap().get("partitions");
            if (recorded != null) {
                first.life().requirePartitions(recorded);
            }
        }
    }

    /** Those that are not over yet, by the clocks of their servers; who waits further ahead comes first. */
    CompletionStage<List<LeaseRecord>> leases() {
        return Stages.all(partitions.all(), this::leases)
                .thenApply(all -> all.stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparingLong(LeaseRecord::number))
                        .toList());
    }

    private CompletionStage<List<LeaseRecord>> leases(Partition partition) {
        return servers.send(partition, redis -> redis.time()).thenCompose(time -> {
            long now = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
            return scan(partition, ScanCursor.INITIAL, new HashMap<>())
                    .thenApply(records -> records.entrySet().stream()
                            .map(each -> LeaseRecord.read(each.getKey(), each.getValue()))
                            .filter(lease -> lease.expiryMicros() > now)
                            .toList());
        });
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

    private static Map<String, List<Stand>> byKey(List<LeaseRecord> leases) {
        Map<String, List<Stand>> byKey = new HashMap<>();
        for (LeaseRecord lease : leases) {
            for (int i = 0; i < lease.countHeld(); i++) {
                add(byKey, lease.keys().get(i), new Stand(lease, lease.modes().get(i), false));
            }
        }
        for (LeaseRecord lease : leases) {
            if (lease.waits()) {
                add(byKey, lease.awaitedKey(), new Stand(lease, lease.awaitedMode(), true));
            }
        }
        return byKey;
    }

    private static void add(Map<String, List<Stand>> byKey, String key, Stand stand) {
        byKey.computeIfAbsent(key, any -> new ArrayList<>()).add(stand);
    }

    private static WaitingLock waiter(LeaseRecord lease, Kinds known, Map<String, List<Stand>> byKey) {
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
