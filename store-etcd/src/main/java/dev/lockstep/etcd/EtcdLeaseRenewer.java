package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.RangeResponse;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/*
 * A renewal extends the lease of etcd. One that asks for more than the lease lives moves the entries to a longer one: a put of the same key keeps
 * its create revision, and so its place. The move requires that the entries are still attached to the lease that they are moved from,
 * so that one whose response was lost can't be carried out later, against a newer one.
 *
 * With each call of renewals goes one linearizable read of the namespace's record, sent after the keep-alives: if another generation
 * has begun, entries were deleted that a keep-alive knows nothing of.
 */

/** Lets leases last longer. */
final class EtcdLeaseRenewer {
    private static final int CHUNK = 100;
    private static final CompletableFuture<Boolean> NO_LONGER = CompletableFuture.completedFuture(false);

    private final EtcdClient client;
    private final NamespaceMemory memory;
    private final LeasePool leases;
    private final KeepAlives keepAlives;
    private final LockClock clock;

    EtcdLeaseRenewer(
            EtcdClient client, NamespaceMemory memory, LeasePool leases, KeepAlives keepAlives, LockClock clock) {
        this.client = client;
        this.memory = memory;
        this.leases = leases;
        this.keepAlives = keepAlives;
        this.clock = clock;
    }

    /** Renewals of one group share streams; one that moves entries may fail for reasons of its own, and is made alone. */
    static Object renewedWith(EtcdGrant grant) {
        return grant.isMoving() ? grant : KeepAlives.groupOf(grant.lease());
    }

    /** Returns those that are no longer held. */
    List<StoreGrant> renew(List<Renewal> renewals) {
        List<CompletableFuture<Boolean>> held = new ArrayList<>();
        for (Renewal each : renewals) {
            held.add(extend((EtcdGrant) each.grant(), each));
        }
        CompletionStage<List<Boolean>> all = AllResponses.all(held, each -> each);
        CompletableFuture<Void> verified = memory.verify();
        List<StoreGrant> ended = new ArrayList<>();
        client.limit().await(verified.thenCombine(all, (nothing, answers) -> answers), "Renewing leases");
        for (int i = 0; i < renewals.size(); i++) {
            EtcdGrant grant = (EtcdGrant) renewals.get(i).grant();
            if (!held.get(i).join() || !memory.isKnown(grant.generation())) {
                ended.add(grant);
            }
        }
        return ended;
    }

    private CompletableFuture<Boolean> extend(EtcdGrant grant, Renewal renewal) {
        if (!memory.isKnown(grant.generation())) {
            return NO_LONGER; // its entries stay: what they guard is not free until the new generation is recorded
        }
        if (grant.hasExpired(clock)) {
            return end(grant);
        }
        long seconds = EtcdLease.secondsFor(renewal.term().toNanos());
        EtcdLease.Start sent = EtcdLease.Start.now(clock);
        return keptAlive(grant, seconds).thenApply(held -> {
            if (held) {
                grant.extended(sent, renewal.term());
            }
            return held;
        });
    }

    /** A move that begins meanwhile may leave the entries on another lease than the one that was extended. */
    private CompletableFuture<Boolean> keptAlive(EtcdGrant grant, long seconds) {
        EtcdGrant.Leases at = grant.leases();
        if (at.next() != null || at.current().seconds() < seconds) {
            return grant.inTurn(() -> lengthen(grant, seconds));
        }
        return keepAlives
                .extend(at.current())
                .thenCompose(held -> at.equals(grant.leases())
                        ? CompletableFuture.completedFuture(held)
                        : grant.inTurn(() -> lengthen(grant, seconds)));
    }

    /** What has expired is never revived: etcd lets it live a little longer, so it is removed now. */
    private CompletableFuture<Boolean> end(EtcdGrant grant) {
        return AllResponses.all(grant.beginEnd(), leases::drop)
                .thenApply(existed -> false)
                .toCompletableFuture();
    }

    private CompletableFuture<Boolean> lengthen(EtcdGrant grant, long seconds) {
        EtcdLease next = grant.leases().next();
        CompletableFuture<Boolean> held = keepAlives.extend(grant.lease());
        if (next != null) { // it is not known which of the two the entries are attached to
            held = both(both(held, () -> keepAlives.extend(next)), () -> move(grant, next));
        }
        return both(
                held,
                () -> grant.lease().seconds() >= seconds
                        ? CompletableFuture.completedFuture(true)
                        : leases.take(seconds).thenCompose(longer -> begin(grant, longer)));
    }

    private CompletableFuture<Boolean> begin(EtcdGrant grant, EtcdLease longer) {
        if (grant.beginMove(longer)) {
            return move(grant, longer);
        }
        leases.giveBack(longer);
        return NO_LONGER; // it is being released
    }

    private static CompletableFuture<Boolean> both(
            CompletableFuture<Boolean> first, Supplier<CompletableFuture<Boolean>> then) {
        return first.thenCompose(held -> held ? then.get() : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> move(EtcdGrant grant, EtcdLease to) {
        to.taint(); // it is revoked at the end, not used again
        return move(grant.entries(), 0, grant.lease(), to).thenCompose(moved -> {
            if (!moved) {
                return end(grant);
            }
            grant.moved().ifPresent(from -> {
                CompletionStage<?> unused = leases.drop(from);
            });
            return CompletableFuture.completedFuture(true);
        });
    }

    private CompletableFuture<Boolean> move(List<ByteString> entries, int done, EtcdLease from, EtcdLease to) {
        if (done >= entries.size()) {
            return CompletableFuture.completedFuture(true);
        }
        List<ByteString> chunk = entries.subList(done, Math.min(entries.size(), done + CHUNK));
        TxnRequest.Builder txn = TxnRequest.newBuilder();
        for (ByteString each : chunk) {
            txn.addCompare(Requests.attached(each, from.id())).addSuccess(Requests.attach(each, to.id()));
        }
        txn.addFailure(Requests.range(Requests.get(chunk.get(0))));
        return client.linearizable(KVGrpc.getTxnMethod(), txn.build(), TxnResponse::getHeader)
                .thenCompose(response -> response.getSucceeded() || isAttached(response, to)
                        ? move(entries, done + chunk.size(), from, to)
                        : CompletableFuture.completedFuture(false));
    }

    /** Whether an earlier call, which was not answered, has moved them. */
    private static boolean isAttached(TxnResponse response, EtcdLease to) {
        RangeResponse found = response.getResponses(0).getResponseRange();
        return found.getKvsCount() > 0 && found.getKvs(0).getLease() == to.id();
    }
}
