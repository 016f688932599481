package dev.lockstep.etcd;

import dev.lockstep.core.LockClock;
import dev.lockstep.etcd.rpc.LeaseGrantRequest;
import dev.lockstep.etcd.rpc.LeaseGrantResponse;
import dev.lockstep.etcd.rpc.LeaseGrpc;
import dev.lockstep.etcd.rpc.LeaseRevokeRequest;
import dev.lockstep.etcd.rpc.LeaseRevokeResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Leases that were released in good order are used again: a hold then costs two round trips, and two writes. While there is use for them they are
 * kept alive about once a second, so that the next holder gets a whole term. A lease that a call named which was not answered is revoked and
 * never used again: that call may still be carried out, and finds no lease then.
 */

/** Grants, keeps and revokes leases of etcd. */
final class LeasePool {
    private static final int MOST_IDLE = 64;
    private static final int MOST_UNDELIVERED = 20_000;
    private static final int REVOKED_AT_A_TIME = 500;

    /** A lease that was extended this long ago leaves its holder a whole term. */
    static final long FRESH = TimeUnit.MILLISECONDS.toNanos(900);

    private static final long EXTEND = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long UNUSED = TimeUnit.SECONDS.toNanos(5);

    /** A lease that is not in use, and since when. */
    private record Idle(EtcdLease lease, long since) {}

    private final EtcdClient client;
    private final KeepAlives keepAlives;
    private final LockClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Deque<Idle>> idle = new HashMap<>();
    private final Queue<EtcdLease> undelivered = new ConcurrentLinkedQueue<>();

    LeasePool(EtcdClient client, KeepAlives keepAlives, LockClock clock) {
        this.client = client;
        this.keepAlives = keepAlives;
        this.clock = clock;
    }

    /** A lease of this many seconds of which hardly any has passed. */
    CompletableFuture<EtcdLease> take(long seconds) {
        EtcdLease pooled = poll(seconds);
        if (pooled == null) {
            return grant(seconds);
        }
        return pooled.age(clock) <= FRESH
                ? CompletableFuture.completedFuture(pooled)
                : keepAlives
                        .extend(pooled)
                        .thenCompose(alive -> alive ? CompletableFuture.completedFuture(pooled) : grant(seconds));
    }

    private @Nullable EtcdLease poll(long seconds) {
        lock.lock();
        try {
            Deque<Idle> leases = idle.getOrDefault(seconds, new ArrayDeque<>());
            Idle newest = leases.pollFirst();
            while (newest != null && newest.lease().isTainted()) {
                newest = leases.pollFirst();
            }
            return newest == null ? null : newest.lease();
        } finally {
            lock.unlock();
        }
    }

    CompletableFuture<EtcdLease> grant(long seconds) {
        EtcdLease.Start sent = EtcdLease.Start.now(clock);
        LeaseGrantRequest request =
                LeaseGrantRequest.newBuilder().setTTL(seconds).build();
        return client.linearizable(LeaseGrpc.getLeaseGrantMethod(), request, LeaseGrantResponse::getHeader)
                .thenApply(response ->
                        new EtcdLease(response.getID(), seconds, Math.max(seconds, response.getTTL()), sent));
    }

    /** For a lease to which nothing is attached any more, and that every call which names it has been answered. */
    void giveBack(EtcdLease lease) {
        if (lease.isTainted()) {
            drop(lease);
            return;
        }
        lock.lock();
        try {
            Deque<Idle> leases = idle.computeIfAbsent(lease.askedFor(), any -> new ArrayDeque<>());
            if (leases.size() < MOST_IDLE) {
                leases.addFirst(new Idle(lease, clock.nanos()));
                return;
            }
        } finally {
            lock.unlock();
        }
        drop(lease);
    }

    /** Keeps the idle ones alive that may be used soon, and drops the others. */
    void attend() {
        List<EtcdLease> unused = new ArrayList<>();
        List<EtcdLease> old = new ArrayList<>();
        lock.lock();
        try {
            for (Deque<Idle> leases : idle.values()) {
                leases.removeIf(each -> clock.nanos() - each.since() > UNUSED && unused.add(each.lease()));
                leases.stream()
                        .map(Idle::lease)
                        .filter(lease -> !lease.isExtending() && lease.age(clock) > EXTEND)
                        .forEach(old::add);
            }
            idle.values().removeIf(Deque::isEmpty);
        } finally {
            lock.unlock();
        }
        unused.forEach(this::drop);
        old.forEach(this::extend);
        revokeAgain();
    }

    private void extend(EtcdLease lease) {
        lease.extending(true);
        CompletionStage<?> unused = keepAlives.extend(lease).whenComplete((alive, error) -> {
            lease.extending(false);
            if (error == null && !alive) {
                forget(lease);
            }
        });
    }

    private void forget(EtcdLease lease) {
        lock.lock();
        try {
            Deque<Idle> leases = idle.get(lease.askedFor());
            if (leases != null) {
                leases.removeIf(each -> each.lease() == lease);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- the end of leases

    /** Ends a lease and removes what is attached to it. Completes with false if it had ended before. */
    CompletableFuture<Boolean> revoke(EtcdLease lease) {
        lease.taint();
        LeaseRevokeRequest request =
                LeaseRevokeRequest.newBuilder().setID(lease.id()).build();
        return client.linearizable(LeaseGrpc.getLeaseRevokeMethod(), request, LeaseRevokeResponse::getHeader)
                .thenApply(response -> true)
                .exceptionallyCompose(error -> EtcdErrors.isLeaseGone(error)
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(EtcdErrors.causeOf(error)));
    }

    /** The same in the background, again and again until it is answered or must have ended. */
    CompletionStage<Boolean> drop(EtcdLease lease) {
        return revoke(lease).exceptionally(error -> {
            if (undelivered.size() < MOST_UNDELIVERED) {
                undelivered.add(lease);
            }
            return false;
        });
    }

    private void revokeAgain() {
        for (int i = 0; i < REVOKED_AT_A_TIME; i++) {
            EtcdLease lease = undelivered.poll();
            if (lease == null) {
                return;
            }
            if (lease.age(clock) < 2 * lease.nanos()) { // else it has ended on its own
                CompletionStage<?> unused = drop(lease);
            }
        }
    }

    /** All idle leases, to end them. */
    List<CompletionStage<?>> close() {
        List<EtcdLease> all = new ArrayList<>();
        lock.lock();
        try {
            idle.values().forEach(leases -> leases.forEach(each -> all.add(each.lease())));
            idle.clear();
        } finally {
            lock.unlock();
        }
        List<CompletionStage<?>> ends = new ArrayList<>();
        all.forEach(each -> ends.add(revoke(each)));
        return ends;
    }
}
