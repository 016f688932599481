package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.Blocker;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.etcd.rpc.KeyValue;
import dev.lockstep.etcd.rpc.LeaseGrpc;
import dev.lockstep.etcd.rpc.LeaseTimeToLiveRequest;
import dev.lockstep.etcd.rpc.RangeRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Shows all holders and waiters, in all processes: a photograph, because all pages are read at one revision. */
final class EtcdLockInspector {
    private static final int PAGE = 1_000;
    private static final int MOST_BLOCKERS = 16;
    private static final int MOST_ATTEMPTS = 5;

    /** A snapshot asks for the ends of at most this many leases, each of which is a call. */
    private static final int MOST_ENDS = 1_000;

    private static final String DOING = "Reading the holders and waiters";

    private final EtcdClient client;
    private final EtcdNamespace namespace;
    private final EtcdKinds kinds;
    private final LockClock clock;

    EtcdLockInspector(EtcdClient client, EtcdNamespace namespace, EtcdKinds kinds, LockClock clock) {
        this.client = client;
        this.namespace = namespace;
        this.kinds = kinds;
        this.clock = clock;
    }

    LockSnapshot snapshot() {
        EntryTable table = client.limit().await(entries(), DOING);
        if (table.isEmpty()) {
            return new LockSnapshot(List.of(), List.of());
        }
        Kinds known = kinds.all();
        Map<Long, Instant> ends = client.limit().await(ends(table), DOING);
        List<HeldLock> holders = new ArrayList<>();
        List<WaitingLock> waiters = new ArrayList<>();
        var waiting = table.waiters();
        for (StoredEntry each : table.all()) {
            if (table.waits(each)) {
                waiters.add(waiter(each, table, known));
            } else {
                boolean complete = !waiting.containsKey(each.lease());
                holders.add(holder(each, known, complete ? ends : Map.of()));
            }
        }
        return new LockSnapshot(holders, waiters);
    }

    /** All entries at one revision; at a later one if that was compacted away meanwhile. */
    CompletableFuture<EntryTable> entries() {
        return entries(MOST_ATTEMPTS);
    }

    private CompletableFuture<EntryTable> entries(int attempts) {
        return page(namespace.firstEntry(), 0, new ArrayList<>())
                .thenApply(EntryTable::new)
                .exceptionallyCompose(error -> attempts > 1 && EtcdErrors.isCompacted(error)
                        ? entries(attempts - 1)
                        : CompletableFuture.failedFuture(error));
    }

    private CompletableFuture<List<StoredEntry>> page(ByteString from, long revision, List<StoredEntry> read) {
        RangeRequest request = RangeRequest.newBuilder()
                .setKey(from)
                .setRangeEnd(namespace.behindEntries())
                .setLimit(PAGE)
                .setRevision(revision)
                .build();
        return client.read(request).thenCompose(page -> {
            page.getKvsList()
                    .forEach(each -> StoredEntry.readIfOurs(namespace, each).ifPresent(read::add));
            return page.getMore()
                    ? page(
                            behind(page.getKvs(page.getKvsCount() - 1)),
                            revision == 0 ? page.getHeader().getRevision() : revision,
                            read)
                    : CompletableFuture.completedFuture(read);
        });
    }

    private static ByteString behind(KeyValue last) {
        return last.getKey().concat(ByteString.copyFrom(new byte[1]));
    }

    /** When leases end, by this process's clock, to the second; without those that etcd doesn't answer about. */
    private CompletableFuture<Map<Long, Instant>> ends(EntryTable table) {
        var waiting = table.waiters();
        List<Long> leases = table.all().stream()
                .filter(each -> !waiting.containsKey(each.lease()))
                .map(StoredEntry::etcdLease)
                .distinct()
                .limit(MOST_ENDS)
                .toList();
        Map<Long, Instant> ends = new HashMap<>();
        return AllResponses.all(leases, this::secondsLeft)
                .thenApply(left -> {
                    for (int i = 0; i < leases.size(); i++) {
                        if (left.get(i) >= 0) {
                            ends.put(
                                    leases.get(i),
                                    Instant.ofEpochMilli(clock.millis()).plusSeconds(left.get(i)));
                        }
                    }
                    return ends;
                })
                .toCompletableFuture();
    }

    private CompletableFuture<Long> secondsLeft(long lease) {
        return client.call(
                        LeaseGrpc.getLeaseTimeToLiveMethod(),
                        LeaseTimeToLiveRequest.newBuilder().setID(lease).build())
                .handle((response, error) -> error == null ? response.getTTL() : -1L);
    }

    private static HeldLock holder(StoredEntry entry, Kinds known, Map<Long, Instant> ends) {
        return new HeldLock(
                known.parse(entry.key()),
                entry.mode(),
                entry.record().owner(),
                entry.lease(),
                entry.record().since(),
                Optional.ofNullable(ends.get(entry.etcdLease())),
                entry.record().callSite());
    }

    private static WaitingLock waiter(StoredEntry entry, EntryTable table, Kinds known) {
        List<Blocker> blockers = table.ofKey(entry.key()).stream()
                .takeWhile(other -> other.created() < entry.created())
                .filter(entry::isBehind)
                .limit(MOST_BLOCKERS)
                .map(other -> new Blocker(
                        other.record().owner(),
                        other.lease(),
                        other.mode(),
                        other.record().since(),
                        table.waits(other)))
                .toList();
        return new WaitingLock(
                known.parse(entry.key()),
                entry.mode(),
                entry.record().owner(),
                entry.lease(),
                entry.record().since(),
                blockers,
                entry.record().callSite());
    }
}
