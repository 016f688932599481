package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.etcd.NamespaceMemory.TokenGeneration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Who ends the lease of etcd
 * --------------------------
 * A release may keep the lease of etcd for the next holder. Then nothing may revoke it any more, not even a renewal of the same grant that is under way:
 * the entries of the next holder would be deleted with it. So the leases of a grant are handed out once, by one step under the lock, to the
 * one that ends them: a release that deletes the entries, a release that revokes, or a renewal that came too late. And none are moved to a longer lease after
 * that.
 */

/** A lease that was granted: its entries, and the lease of etcd that they are attached to. */
final class EtcdGrant implements StoreGrant {
    /** The lease of etcd that the entries are attached to, and the one that they are being moved to, while it is not known whether they are. */
    record Leases(EtcdLease current, @Nullable EtcdLease next) {
        List<EtcdLease> all() {
            EtcdLease longer = next;
            return longer == null ? List.of(current) : List.of(current, longer);
        }
    }

    /**
     * How to release: by deleting the entries, after which the lease may be used again; or by revoking these leases, none of them if that one was
     * returned to the pool.
     */
    record Release(boolean deletes, boolean again, List<EtcdLease> leases) {}

    private enum State {
        HELD,
        /** A release has been sent that keeps the lease of etcd. */
        DELETING,
        /** The lease of etcd may be another holder's now. */
        GIVEN_BACK,
        REVOKING
    }

    private final UUID leaseId;
    private final List<ByteString> entries;
    private final long firstCreated;
    private final TokenGeneration generation;
    private final long token;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Leases leases;
    private State state = State.HELD;
    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> lastTurn = new AtomicReference<>();
    private volatile long untilNanos;
    private volatile long untilMillis;
    private boolean releaseSent;
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
        leases = new Leases(lease, null);
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
        return leases.current();
    }

    Leases leases() {
        return leases;
    }

    /** Whether it is not known to which of two leases of etcd the entries are attached. */
    boolean isMoving() {
        return leases.next() != null;
    }

    /** The entries are about to be moved to this lease of etcd; refused once the grant is being ended. */
    boolean beginMove(EtcdLease longer) {
        lock.lock();
        try {
            if (state == State.HELD) {
                leases = new Leases(leases.current(), longer);
            }
            return state == State.HELD;
        } finally {
            lock.unlock();
        }
    }

    /** The entries have been moved; returns the lease that they are no longer attached to, if the caller is to end it. */
    Optional<EtcdLease> moved() {
        lock.lock();
        try {
            Leases before = leases;
            EtcdLease longer = before.next();
            if (longer == null || state != State.HELD) {
                return Optional.empty();
            }
            leases = new Leases(longer, null);
            return Optional.of(before.current());
        } finally {
            lock.unlock();
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

    /** A release is about to be sent; the first one decides whether it came in time. */
    Release beginRelease(LockClock clock, boolean mayDelete) {
        lock.lock();
        try {
            boolean again = releaseSent;
            if (!again) {
                releasedInTime = !hasExpired(clock);
                releaseSent = true;
            }
            if (state == State.GIVEN_BACK) {
                return new Release(false, again, List.of());
            }
            boolean deletes = state == State.HELD
                    && mayDelete
                    && !isMoving()
                    && !leases.current().isTainted();
            state = deletes ? State.DELETING : State.REVOKING;
            return new Release(deletes, again, leases.all());
        } finally {
            lock.unlock();
        }
    }

    /** All entries were deleted: whether the lease of etcd may be used again, which the caller has to see to then. */
    boolean giveBack() {
        return leave(State.DELETING, State.GIVEN_BACK);
    }

    /** What a renewal has to revoke that came too late: nothing if the grant is being ended already. */
    List<EtcdLease> beginEnd() {
        return leave(State.HELD, State.REVOKING) ? leases.all() : List.of();
    }

    private boolean leave(State from, State to) {
        lock.lock();
        try {
            boolean leaves = state == from;
            state = leaves ? to : state;
            return leaves;
        } finally {
            lock.unlock();
        }
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
