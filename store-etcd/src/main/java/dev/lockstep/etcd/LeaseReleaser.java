package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockClock;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.ResponseOp;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/*
 * A release deletes the entries and keeps the lease of etcd for the next holder, as long as every call that names that lease was answered. It is
 * one write, where to revoke the lease and to grant another would be two. Otherwise the lease is revoked, which deletes the entries too.
 *
 * A repeated release may find nothing because an earlier one was carried out whose response was lost. If the first one was sent while the holder
 * could count on the lease, no other can have been granted what it guards before that, and it counts as released.
 */

/** Ends leases that were granted. */
final class LeaseReleaser {
    private static final int MOST_DELETED = 100;

    private final EtcdClient client;
    private final NamespaceMemory memory;
    private final LeasePool leases;
    private final Watches watches;
    private final LockClock clock;

    LeaseReleaser(EtcdClient client, NamespaceMemory memory, LeasePool leases, Watches watches, LockClock clock) {
        this.client = client;
        this.memory = memory;
        this.leases = leases;
        this.watches = watches;
        this.clock = clock;
    }

    /** Returns whether the grant was still held. */
    CompletableFuture<Boolean> release(EtcdGrant grant) {
        EtcdGrant.Release release = grant.beginRelease(clock, grant.entries().size() <= MOST_DELETED);
        CompletableFuture<Boolean> held = release.deletes() ? delete(grant) : revoke(grant, release);
        return held.thenApply(was -> {
            watches.deletedHere(grant.entries());
            return was && memory.isKnown(grant.generation());
        });
    }

    private CompletableFuture<Boolean> delete(EtcdGrant grant) {
        TxnRequest.Builder txn = TxnRequest.newBuilder();
        List<ByteString> reversed = new ArrayList<>(grant.entries());
        Collections.reverse(reversed);
        reversed.forEach(each -> txn.addSuccess(Requests.delete(each)));
        EtcdLease lease = grant.lease();
        return client.linearizable(KVGrpc.getTxnMethod(), txn.build(), TxnResponse::getHeader)
                .whenComplete((response, error) -> {
                    if (error != null) {
                        lease.taint();
                    }
                })
                .thenApply(response -> {
                    boolean all = response.getResponsesList().stream()
                            .map(ResponseOp::getResponseDeleteRange)
                            .allMatch(each -> each.getDeleted() == 1);
                    if (grant.giveBack()) {
                        putAway(lease, all);
                    }
                    return all;
                });
    }

    private void putAway(EtcdLease lease, boolean reusable) {
        if (reusable) {
            leases.giveBack(lease);
        } else {
            CompletionStage<?> unused = leases.drop(lease);
        }
    }

    private CompletableFuture<Boolean> revoke(EtcdGrant grant, EtcdGrant.Release release) {
        return AllResponses.all(release.leases(), leases::revoke)
                .toCompletableFuture()
                .thenApply(existed -> (!existed.isEmpty() && !existed.contains(false))
                        || (release.again() && grant.releasedInTime()));
    }
}
