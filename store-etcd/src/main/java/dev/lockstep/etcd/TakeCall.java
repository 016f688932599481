package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.Blocker;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.etcd.NamespaceMemory.TokenGeneration;
import dev.lockstep.etcd.rpc.Compare;
import dev.lockstep.etcd.rpc.KeyValue;
import dev.lockstep.etcd.rpc.RangeRequest;
import dev.lockstep.etcd.rpc.RangeResponse;
import dev.lockstep.etcd.rpc.ResponseOp;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/*
 * A transaction may have 128 operations, and a nested one what its parent left. So up to 13 locks are taken, or queued for, in one call: all of
 * them if they are free, else the first n-1 and a place in the queue of the n-th if those are free, and so on. Larger sets are taken in
 * chunks, in order: a chunk that is not free is read in the same call, and the next one takes what is free before the first lock that is
 * not, and a place in its queue.
 *
 * A place in a queue is an entry like that of a holder. Whether it holds is decided by the create revisions alone.
 */

/** The transactions that take locks, and what they find. */
final class TakeCall {
    static final int MOST_BLOCKERS = 16;

    /** How many locks one nested transaction takes. */
    static final int MOST_NESTED = 13;

    /** How many locks any other transaction takes. */
    static final int CHUNK = 60;

    /** One may be the own entry; the other two tell whether one deletion is enough. */
    private static final int NEAREST = 3;

    /** What a transaction found. */
    sealed interface Reply {}

    /** Own entries up to this lock are there, and nothing that conflicts was. */
    record Taken(int end, long revision) implements Reply {}

    /** The locks before this one are held, and this one is waited for, behind these entries, the nearest first. */
    record Queued(int at, List<KeyValue> ahead, long revision) implements Reply {}

    /** Nothing was taken; this lock is the first that is not free, because of these entries. */
    record Blocked(int at, List<KeyValue> blockers) implements Reply {}

    /** Nothing was taken: another generation has begun, or own entries are gone. */
    record Refused() implements Reply {}

    private final EntryPlan plan;
    private final TokenGeneration generation;
    private final EtcdNamespace namespace;
    private final ByteString value;
    private final long lease;
    private final int from;
    private final Optional<Compare> own;

    /** {@code own} holds for as long as the own entries before {@code from} are there. */
    TakeCall(
            EntryPlan plan,
            TokenGeneration generation,
            EtcdNamespace namespace,
            ByteString value,
            long lease,
            int from,
            Optional<Compare> own) {
        this.plan = plan;
        this.generation = generation;
        this.namespace = namespace;
        this.value = value;
        this.lease = lease;
        this.from = from;
        this.own = own;
    }

    /** A transaction that is only carried out while locks are granted in this generation. */
    static TxnRequest.Builder granting(EtcdNamespace namespace, TokenGeneration generation) {
        return TxnRequest.newBuilder()
                .addCompare(Requests.modified(namespace.state(), generation.revision()))
                .addCompare(Requests.created(namespace.quiet(), 0));
    }

    private TxnRequest guarded(TxnRequest inner) {
        TxnRequest.Builder guard = granting(namespace, generation).addSuccess(Requests.txn(inner));
        own.ifPresent(guard::addCompare);
        return guard.build();
    }

    // ---- one nested transaction

    boolean fitsNested() {
        return plan.size() - from <= MOST_NESTED;
    }

    /** Takes everything, or what is free and a place in the queue of the first lock that is not. */
    TxnRequest nested() {
        return guarded(level(plan.size()));
    }

    private TxnRequest level(int end) {
        TxnRequest.Builder txn = taking(end);
        if (end < plan.size()) {
            txn.addSuccess(Requests.put(plan.own(end), value, lease)).addSuccess(Requests.range(ahead(end)));
        }
        if (end > from) {
            txn.addFailure(Requests.txn(level(end - 1)));
        }
        return txn.build();
    }

    private TxnRequest.Builder taking(int end) {
        TxnRequest.Builder txn = TxnRequest.newBuilder();
        for (int i = from; i < end; i++) {
            txn.addCompare(Requests.empty(plan.from(i), plan.to(i)));
            txn.addSuccess(Requests.put(plan.own(i), value, lease));
        }
        return txn;
    }

    private RangeRequest ahead(int at) {
        return Requests.latest(plan.from(at), plan.to(at), NEAREST).build();
    }

    Reply readNested(TxnResponse response) {
        if (!response.getSucceeded()) {
            return new Refused();
        }
        int end = plan.size();
        TxnResponse level = response.getResponses(0).getResponseTxn();
        while (!level.getSucceeded()) {
            level = level.getResponses(0).getResponseTxn();
            end--;
        }
        long revision = response.getHeader().getRevision();
        return end == plan.size() ? new Taken(end, revision) : queued(end, level, revision);
    }

    private Queued queued(int at, TxnResponse response, long revision) {
        List<KeyValue> ahead = new ArrayList<>(last(response).getResponseRange().getKvsList());
        ahead.removeIf(each -> each.getKey().equals(plan.own(at)));
        return new Queued(at, ahead, revision);
    }

    private static ResponseOp last(TxnResponse response) {
        return response.getResponses(response.getResponsesCount() - 1);
    }

    // ---- chunks

    int endOfChunk() {
        return Math.min(plan.size(), from + CHUNK);
    }

    /** Takes a chunk if all of it is free, else reads what is in the way. */
    TxnRequest chunk() {
        TxnRequest.Builder txn = taking(endOfChunk());
        for (int i = from; i < endOfChunk(); i++) {
            txn.addFailure(Requests.range(Requests.earliest(plan.from(i), plan.to(i), MOST_BLOCKERS)));
        }
        return guarded(txn.build());
    }

    Reply readChunk(TxnResponse response) {
        if (!response.getSucceeded()) {
            return new Refused();
        }
        TxnResponse inner = response.getResponses(0).getResponseTxn();
        if (inner.getSucceeded()) {
            return new Taken(endOfChunk(), response.getHeader().getRevision());
        }
        for (int i = from; i < endOfChunk(); i++) {
            RangeResponse range = inner.getResponses(i - from).getResponseRange();
            if (range.getKvsCount() > 0) {
                return new Blocked(i, range.getKvsList());
            }
        }
        throw new IllegalStateException("etcd found a conflict that it doesn't show: " + response);
    }

    /** Takes what comes before this lock of the chunk, and a place in its queue. */
    TxnRequest queueing(int at) {
        return guarded(taking(at)
                .addSuccess(Requests.put(plan.own(at), value, lease))
                .addSuccess(Requests.range(ahead(at)))
                .build());
    }

    /** {@link Blocked} if what comes before is not free any more. */
    Reply readQueueing(TxnResponse response, int at) {
        if (!response.getSucceeded()) {
            return new Refused();
        }
        TxnResponse inner = response.getResponses(0).getResponseTxn();
        return inner.getSucceeded()
                ? queued(at, inner, response.getHeader().getRevision())
                : new Blocked(at, List.of());
    }

    // ---- those in the way

    static StoreBusy busy(EtcdNamespace namespace, EntryPlan plan, int at, List<KeyValue> entries) {
        List<Blocker> blockers = new ArrayList<>();
        for (KeyValue each : entries) {
            Entries.Name name = Entries.read(namespace, each.getKey());
            EntryRecord record = EntryRecord.read(each.getValue());
            boolean waits = isBehindAnother(namespace, each, entries);
            blockers.add(new Blocker(record.owner(), name.lease(), name.mode(), record.since(), waits));
        }
        return new StoreBusy(plan.lock(at), blockers);
    }

    private static boolean isBehindAnother(EtcdNamespace namespace, KeyValue entry, List<KeyValue> entries) {
        return entries.stream()
                .anyMatch(other -> other.getCreateRevision() < entry.getCreateRevision()
                        && !Entries.read(namespace, other.getKey())
                                .mode()
                                .compatibleWith(
                                        Entries.read(namespace, entry.getKey()).mode()));
    }
}
