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

/** Who holds and who waits, in all processes. Read in portions, so that a server with many leases is not held up. */
final class RedisSight {
    private static final int MOST_BLOCKERS = 16;
    private static final String DOING = "Reading who holds and who waits";

    private final RedisLink link;
    private final Namespace namespace;
    private final RedisKinds kinds;

    /** One lease at one lock. */
    private record Stand(LeaseRecord lease, LockMode mode, boolean waits) {}

    RedisSight(RedisLink link, Namespace namespace, RedisKinds kinds) {
        this.link = link;
        this.namespace = namespace;
        this.kinds = kinds;
    }

    LockSnapshot snapshot() {
        List<LeaseRecord> leases = leases();
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

    /** Those that are not over yet, by the server's clock; who waits further ahead comes first. */
    private List<LeaseRecord> leases() {
        List<String> time = link.await(link.send(redis -> redis.time()), DOING);
        long now = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
        Map<String, String> records = new HashMap<>();
        ScanCursor cursor = ScanCursor.INITIAL;
        do {
            ScanCursor from = cursor;
            MapScanCursor<String, String> portion = link.await(
                    link.send(redis -> redis.hscan(namespace.leases(), from, ScanArgs.Builder.limit(500))), DOING);
            records.putAll(portion.getMap());
            cursor = portion;
        } while (!cursor.isFinished());
        return records.entrySet().stream()
                .map(each -> LeaseRecord.read(each.getKey(), each.getValue()))
                .filter(lease -> lease.expiryMicros() > now)
                .sorted(Comparator.comparingLong(LeaseRecord::number))
                .toList();
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
