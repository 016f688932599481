package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lease that was granted: its entries, and the lease of etcd that they are attached to. */
final class EtcdGrant implements StoreGrant {
    private final UUID leaseId;
    private final List<ByteString> entries;
    private final long firstCreated;
    private final TokenGeneration generation;
    private final long token;
    private volatile EtcdLease lease;
    private volatile @Nullable EtcdLease next;
    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> lastTurn = new AtomicReference<>();
    private volatile long untilNanos;
    private volatile long untilMillis;
    private volatile boolean releaseSent;
    private volatile boolean releasedInTime;

    /** {@code firstCreated} is the create revision of the first entry. */
    EtcdGrant(
            UUID leaseId,
            EntryPlan plan,
            long firstCreated,
            TokenGeneration generation,
            long token,
            EtcdLease lease,
            EtcdLease.Start start,
            Duration term) {
        this.leaseId = leaseId;
        this.entries = plan.names();
        this.firstCreated = firstCreated;
        this.generation = generation;
        this.token = token;
        this.lease = lease;
        untilNanos = start.nanos() + term.toNanos();
        untilMillis = start.millis() + term.toMillis();
    }

    UUID leaseId() {
        return leaseId;
    }

    List<ByteString> entries() {
        return entries;
    }

    long firstCreated() {
        return firstCreated;
    }

    TokenGeneration generation() {
        return generation;
    }

    @Override
    public long token() {
        return token;
    }

    EtcdLease lease() {
        return lease;
    }

    /** The lease of etcd that the entries are being moved to, while it is not known whether they are. */
    @Nullable
    EtcdLease next() {
        return next;
    }

    void movingTo(EtcdLease longer) {
        next = longer;
    }

    void moved() {
        EtcdLease longer = next;
        if (longer != null) {
            lease = longer;
            next = null;
        }
    }

    /** Moves are made one after the other. */
    <T> CompletableFuture<T> inTurn(Supplier<CompletableFuture<T>> work) {
        CompletableFuture<@Nullable Void> mine = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> before = lastTurn.getAndSet(mine);
        CompletableFuture<T> done = before == null ? work.get() : before.thenCompose(nothing -> work.get());
        return done.whenComplete((result, error) -> mine.complete(null));
    }

    /** The holder may count on it for this long, from a call that was sent then. Never shortens. */
    void extended(EtcdLease.Start sent, Duration term) {
        long nanos = sent.nanos() + term.toNanos();
        if (nanos - untilNanos > 0) {
            untilNanos = nanos;
            untilMillis = sent.millis() + term.toMillis();
        }
    }

    /** Whether its term has passed by either clock: then it is not extended, although etcd may have kept it. */
    boolean hasExpired(LockClock clock) {
        return clock.nanos() - untilNanos >= 0 || clock.millis() >= untilMillis;
    }

    /** Notes that a release is about to be sent; the first one decides whether it came in time. */
    void releasing(LockClock clock) {
        if (!releaseSent) {
            releasedInTime = !hasExpired(clock);
            releaseSent = true;
        }
    }

    /** Whether a release was sent before. */
    boolean isReleasing() {
        return releaseSent;
    }

    /** Whether the first release was sent while the holder could count on the lease. */
    boolean releasedInTime() {
        return releasedInTime;
    }

    /** When it ends, in milliseconds of this process's wall clock, as far as it knows. */
    long untilMillis() {
        return untilMillis;
    }

    @Override
    public String toString() {
        return "lease " + leaseId;
    }
}
