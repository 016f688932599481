package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.KeyValue;
import dev.lockstep.etcd.rpc.RangeResponse;
import dev.lockstep.etcd.rpc.ResponseHeader;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * After a restore from a backup
 * -----------------------------
 * Leases that were granted after the backup was taken are unknown to etcd, and their holders count on them. The first process that notices begins
 * a new generation, in one transaction: all entries are deleted, the floor of the tokens is set to the clock again, and the key "quiet" is put
 * under a lease of etcd as long as the longest term. Every transaction that grants or queues requires the record of the generation that its
 * process knows, and that there is no such key. So whatever was granted before has expired when the next lock is granted, and a
 * process that has not noticed learns of it at its next grant or renewal.
 *
 * Tokens: the floor is the clock in microseconds less the revision at that moment. So no token is ever above the clock of its grant as long as
 * there are fewer than a million revisions per second, and those of a new generation are above all earlier ones.
 */

/** What this process knows of the namespace's generation, and how a new one begins. */
final class NamespaceMemory {
    /**
     * The time between two losses of memory of a namespace, in which tokens have the same floor. A grant of another generation is lost.
     *
     * @param revision of the record of the state; every grant requires that it is still this one
     */
    record TokenGeneration(String id, long floor, long revision) {
        long token(long grantedAt) {
            return floor + grantedAt;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceMemory.class);
    private static final long QUIET_SPARE_SECONDS = 3; // leases live a second or two longer than their terms

    /** What is to be done when another generation than the known one is found. */
    interface Listener {
        CompletionStage<Void> changed();
    }

    /** That etcd has lost what came last, and how that was noticed. Each is another one, also if it was noticed in the same way. */
    private static final class Loss {
        final String evidence;

        Loss(String evidence) {
            this.evidence = evidence;
        }
    }

    private final EtcdClient client;
    private final LeasePool leases;
    private final EtcdNamespace namespace;
    private final Duration longestTerm;
    private final LockClock clock;
    private final Listener listener;
    private final AtomicReference<@Nullable CompletableFuture<TokenGeneration>> loading = new AtomicReference<>();
    private volatile @Nullable TokenGeneration known;
    private volatile boolean current;
    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
    private volatile long highestEver;

    NamespaceMemory(
            EtcdClient client,
            LeasePool leases,
            EtcdNamespace namespace,
            Duration longestTerm,
            LockClock clock,
            Listener listener) {
        this.client = client;
        this.leases = leases;
        this.namespace = namespace;
        this.longestTerm = longestTerm;
        this.clock = clock;
        this.listener = listener;
    }

    EtcdNamespace namespace() {
        return namespace;
    }

    void requireWithinLongest(Duration term) {
        if (term.compareTo(longestTerm) > 0) {
            throw new InvalidRequestException(
                    "A lease term of " + term.toMillis()
                            + " ms is longer than longestTerm, which is " + longestTerm.toMillis()
                            + " ms. Ask for a shorter term (leases without one are renewed as long as needed), or give the store of every process a"
                            + " greater longestTerm(...). It is also how long nothing is locked after etcd was restored from a backup.");
        }
    }

    /** etcd has lost what came last: the next look begins a new generation. */
    void lost(String what) {
        loss.set(new Loss(what));
        current = false;
    }

    /** Whether grants of this generation still count, as far as this process knows. */
    boolean isKnown(TokenGeneration generation) {
        TokenGeneration now = known;
        return now != null && now.id().equals(generation.id()) && loss.get() == null;
    }

    /** The generation in which locks are granted now; fails while none are. */
    CompletableFuture<TokenGeneration> current() {
        TokenGeneration now = known;
        return now != null && current ? CompletableFuture.completedFuture(now) : look();
    }

    /** The same after a transaction found something else. */
    CompletableFuture<TokenGeneration> look() {
        current = false;
        while (true) {
            CompletableFuture<TokenGeneration> running = loading.get();
            if (running != null) {
                return running;
            }
            CompletableFuture<TokenGeneration> next = new CompletableFuture<>();
            if (loading.compareAndSet(null, next)) {
                CompletionStage<?> unused = load().whenComplete((generation, error) -> {
                    loading.set(null);
                    if (error == null) {
                        next.complete(generation);
                    } else {
                        next.completeExceptionally(EtcdErrors.causeOf(error));
                    }
                });
                return next;
            }
        }
    }

    /** Reads, with a separate call, whether the known generation is still the current one; and learns of the next one if it is not. */
    CompletableFuture<Void> verify() {
        TokenGeneration now = known;
        return client.read(Requests.get(namespace.state())).thenCompose(response -> {
            boolean same = now != null
                    && loss.get() == null
                    && response.getKvsCount() == 1
                    && response.getKvs(0).getModRevision() == now.revision();
            return same ? CompletableFuture.<Void>completedFuture(null) : learn();
        });
    }

    /** Completes when the new generation is known, also if nothing is granted in it yet. */
    private CompletableFuture<Void> learn() {
        return look().<Void>thenCompose(generation -> CompletableFuture.completedFuture(null))
                .exceptionallyCompose(error -> EtcdErrors.causeOf(error) instanceof GrantsPausedException
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(error));
    }

    // ---- reading and writing the record

    private CompletableFuture<TokenGeneration> load() {
        Loss noticed = loss.get(); // one that is noticed later is not settled by what is read now
        TxnRequest read = TxnRequest.newBuilder()
                .addSuccess(Requests.range(Requests.get(namespace.state())))
                .addSuccess(Requests.range(Requests.get(namespace.quiet())))
                .build();
        return client.linearizable(KVGrpc.getTxnMethod(), read, TxnResponse::getHeader)
                .thenCompose(response -> understand(response, noticed));
    }

    private CompletableFuture<TokenGeneration> understand(TxnResponse response, @Nullable Loss noticed) {
        KeyValue state = first(response, 0);
        KeyValue quiet = first(response, 1);
        ResponseHeader header = response.getHeader();
        if (state == null) {
            return known == null && noticed == null
                    ? write(null, header, null, "")
                    : write(null, header, noticed, "its record is gone");
        }
        NamespaceState read = NamespaceState.read(state.getValue(), namespace);
        requireSameLongest(read.longestMillis());
        if (quiet == null && noticed != null) {
            return write(state, header, noticed, noticed.evidence);
        }
        if (read.cluster() != header.getClusterId()) {
            return write(state, header, noticed, "it was recorded in another cluster");
        }
        return adopt(new TokenGeneration(read.id(), read.floor(), state.getModRevision()), quiet, noticed);
    }

    private static @Nullable KeyValue first(TxnResponse response, int index) {
        RangeResponse range = response.getResponses(index).getResponseRange();
        return range.getKvsCount() == 0 ? null : range.getKvs(0);
    }

    private CompletableFuture<TokenGeneration> adopt(
            TokenGeneration found, @Nullable KeyValue quiet, @Nullable Loss noticed) {
        TokenGeneration before = known;
        known = found;
        settle(noticed);
        boolean changed = before != null && !before.id().equals(found.id());
        CompletionStage<Void> learned = changed ? listener.changed() : CompletableFuture.completedStage(null);
        return learned.toCompletableFuture().thenCompose(nothing -> {
            if (quiet != null) {
                return CompletableFuture.failedFuture(paused(quiet.getValue()));
            }
            current = true;
            if (loss.get() != null) { // noticed while this was read
                current = false;
                return load();
            }
            return CompletableFuture.completedFuture(found);
        });
    }

    private void settle(@Nullable Loss noticed) {
        if (noticed != null) {
            loss.compareAndSet(noticed, null);
        }
    }

    /** Records a generation, unless another process has done so; and reads again. With a reason, nothing is granted in it for a while. */
    private CompletableFuture<TokenGeneration> write(
            @Nullable KeyValue state, ResponseHeader header, @Nullable Loss noticed, String why) {
        NamespaceState next = new NamespaceState(
                UUID.randomUUID().toString(), nextFloor(state, header), longestTerm.toMillis(), header.getClusterId());
        if (why.isEmpty()) {
            return send(txn(state, next)).thenCompose(response -> load());
        }
        LOG.warn(
                "etcd has lost memory of the namespace '{}' ({}): nothing is granted for the longest term, {} ms",
                namespace.name(),
                why,
                longestTerm.toMillis());
        long seconds = EtcdLease.secondsFor(longestTerm.toNanos()) + QUIET_SPARE_SECONDS;
        return leases.grant(seconds)
                .thenCompose(lease -> send(txn(state, next)
                        .addSuccess(Requests.put(namespace.quiet(), quietUntil(seconds), lease.id()))
                        .addSuccess(Requests.delete(namespace.firstEntry(), namespace.behindEntries()))))
                .thenCompose(response -> {
                    if (response.getSucceeded()) {
                        settle(noticed);
                    }
                    return load();
                });
    }

    private TxnRequest.Builder txn(@Nullable KeyValue state, NamespaceState next) {
        return TxnRequest.newBuilder()
                .addCompare(Requests.modified(namespace.state(), state == null ? 0 : state.getModRevision()))
                .addSuccess(Requests.put(namespace.state(), next.text(), 0));
    }

    private CompletableFuture<TxnResponse> send(TxnRequest.Builder txn) {
        return client.linearizable(KVGrpc.getTxnMethod(), txn.build(), TxnResponse::getHeader);
    }

    private long nextFloor(@Nullable KeyValue state, ResponseHeader header) {
        long floor = TimeUnit.MILLISECONDS.toMicros(clock.millis()) - header.getRevision();
        if (state != null) {
            floor = Math.max(
                    floor, NamespaceState.read(state.getValue(), namespace).floor());
        }
        TokenGeneration before = known;
        return before == null ? floor : Math.max(floor, before.token(highestEver) - header.getRevision());
    }

    /** A lock was granted at this revision. */
    void granted(long revision) {
        if (revision > highestEver) {
            highestEver = revision; // a race leaves one that is a little too low, and the clock is above both
        }
    }

    private ByteString quietUntil(long seconds) {
        return ByteString.copyFromUtf8(Long.toString(clock.millis() + TimeUnit.SECONDS.toMillis(seconds)));
    }

    private void requireSameLongest(long recorded) {
        if (recorded != longestTerm.toMillis()) {
            throw new InvalidRequestException("The namespace '" + namespace.name() + "' has a longest lease term of "
                    + recorded + " ms, and this process uses " + longestTerm.toMillis()
                    + " ms. Give all processes the same longestTerm(...), or use another namespace. To change it, end all processes that"
                    + " use the namespace, delete the key '" + namespace.prefix() + "state', and start them again.");
        }
    }

    private GrantsPausedException paused(ByteString until) {
        String text = until.toStringUtf8();
        long left = text.matches("\\d{1,17}") ? Long.parseLong(text) - clock.millis() : 0;
        long millis = Math.max(1, Math.min(left, longestTerm.toMillis() + 10_000));
        return new GrantsPausedException(
                "The namespace '" + namespace.name() + "' grants no lock for about another " + millis
                        + " ms. etcd was restored from a backup or replaced, and may have forgotten leases that are still in use, so it"
                        + " waits for the longest lease term. Try again after that.",
                List.of(),
                Duration.ofMillis(millis));
    }
}
