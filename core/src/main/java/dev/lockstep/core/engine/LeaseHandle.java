package dev.lockstep.core.engine;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.internal.ApiAccess;
import dev.lockstep.core.internal.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A caller's lease: a handle on the store lease that it requested, if anything was left to acquire, and on outer ones that cover the rest. */
final class LeaseHandle implements Lease {
    private static final ApiAccess API = ApiAccess.get();
    private static final AtomicIntegerFieldUpdater<LeaseHandle> CLOSED =
            AtomicIntegerFieldUpdater.newUpdater(LeaseHandle.class, "closed");

    private final StoreLocks locks;
    private final Holder holder;
    private final ResolvedRequest resolved;
    private final @Nullable StoreLease own;
    private final List<StoreLease> outer;
    private final @Nullable LossInterrupt interrupt;
    private final long number;

    private volatile @Nullable Loss loss;
    private volatile int closed; // 1 when closed; a number, so that it can be written without a fence
    private volatile boolean endedLost;
    private @Nullable CompletableFuture<Loss> lost;
    private boolean releasesOwn;
    private List<StoreLease> outerToRelease = List.of();

    /** Called under the lock of the holder's stripe. */
    LeaseHandle(
            StoreLocks locks,
            Holder holder,
            ResolvedRequest resolved,
            @Nullable StoreLease own,
            List<StoreLease> outer) {
        this.locks = locks;
        this.holder = holder;
        this.resolved = resolved;
        this.own = own;
        this.outer = outer;
        interrupt = resolved.interruptsOnLoss() ? new LossInterrupt(Thread.currentThread()) : null;
        holder.opened();
        number = own == null ? holder.nextLeaseNumber() : own.number();
        if (own != null) {
            own.enter(this);
        }
        for (int i = 0; i < outer.size(); i++) {
            outer.get(i).enterNested(this);
        }
    }

    @Nullable
    StoreLease own() {
        return own;
    }

    ResolvedRequest resolved() {
        return resolved;
    }

    // ---- what it says

    Holder holder() {
        return holder;
    }

    @Override
    public UUID id() {
        return LeaseIds.of(number);
    }

    @Override
    public FencingToken token() {
        StoreLease newest = own != null
                ? own
                : outer.stream().max(Comparator.comparing(StoreLease::token)).orElseThrow();
        return newest.token();
    }

    @Override
    public List<LockKey> keys() {
        return resolved.request().keys();
    }

    @Override
    public String owner() {
        return resolved.owner();
    }

    @Override
    public String source() {
        return locks.storeName();
    }

    @Override
    public Instant expiresAt() {
        return storeLeases().stream()
                .map(storeLease -> storeLease.leaseTerm().safeUntil())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public boolean isHeld() {
        return loss == null && closed == 0 && (own == null || own.stands()) && outersStand();
    }

    private boolean outersStand() {
        return outer.isEmpty() || outer.stream().allMatch(StoreLease::stands);
    }

    private List<StoreLease> storeLeases() {
        List<StoreLease> storeLeases = new ArrayList<>(outer);
        if (own != null) {
            storeLeases.add(0, own);
        }
        return storeLeases;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw lostException();
        }
    }

    private Loss lossNow() {
        Loss known = loss;
        if (known != null) {
            return known;
        }
        if (closed != 0) {
            return API.loss(endedLost ? Loss.Reason.REFUSED : Loss.Reason.CLOSED, null);
        }
        return API.loss(own != null && !own.stands() ? own.reasonOfEnd() : Loss.Reason.OUTER_LOST, null);
    }

    /** When the locks were acquired, in nanoseconds of the clock. */
    long heldFrom() {
        return own != null ? own.heldFrom() : resolved.askedAt();
    }

    @Override
    public String toString() {
        return "Lease " + id() + " of '" + owner() + "' on " + keys() + ", "
                + (isHeld() ? "held until " + expiresAt() : loss != null ? "lost" : "not held");
    }

    // ---- what it does

    @Override
    public void renew() {
        renew(resolved.term().rule().term());
    }

    @Override
    public void renew(Duration term) {
        Durations.requirePositive("The lease term", term, "Give a positive duration, such as Duration.ofSeconds(10).");
        ensureHeld();
        locks.renewer().renewNow(storeLeases(), term);
        ensureHeld();
    }

    @Override
    public LockMode downgrade() {
        ensureHeld();
        LockMode mode = locks.downgrade(this);
        ensureHeld();
        return mode;
    }

    /** Whether none of the requested locks is exclusive. */
    boolean isSharedByRequest() {
        return API.mode(resolved.request(), 0) == LockMode.SHARED;
    }

    boolean hasOuter() {
        return !outer.isEmpty();
    }

    @Override
    public Runnable bind(Runnable task) {
        return () -> locks.holders().runAs(child(), task);
    }

    @Override
    public <T> Callable<T> bind(Callable<T> task) {
        return () -> locks.holders().callAs(child(), task);
    }

    @Override
    public Lease acquire(LockRequest request) {
        return locks.acquire(request, child());
    }

    @Override
    public Attempt tryAcquire(LockRequest request) {
        return locks.tryAcquire(request, child());
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return locks.acquireAsync(request, child());
    }

    private Holder child() {
        if (!isHeld()) {
            throw endedParent();
        }
        return holder.child(this);
    }

    /** The exception for a child of this lease once the lease has ended. */
    LeaseLostException endedParent() {
        return API.parentEnded(this, lossNow());
    }

    @Override
    public ReleaseOutcome release() {
        ReleaseOutcome outcome = locks.release(this);
        disarm();
        return outcome;
    }

    /** Lets no interrupt come any more, and waits for one that is under way. Never under the stripe's lock. */
    void disarm() {
        if (interrupt != null) {
            interrupt.disarm();
        }
    }

    @Override
    public CompletionStage<Loss> lost() {
        holder.stripe.lock();
        try {
            if (lost == null) {
                lost = new CompletableFuture<>();
                if (loss != null) {
                    lost.complete(loss);
                }
            }
            return lost.minimalCompletionStage();
        } finally {
            holder.stripe.unlock();
        }
    }

    // ---- what happens to it, under the lock of the holder's stripe

    /** Whether the request is still with the store; then only the requesting thread ends it. */
    boolean isAsking() {
        return own != null && own.isAsking();
    }

    boolean isOwn(StoreLease storeLease) {
        return own == storeLease;
    }

    /** Leaves all store leases; false if it was closed before. {@link #releaseWith} must follow. */
    boolean closeOnce() {
        holder.stripe.lock();
        try {
            if (closed != 0) {
                return false;
            }
            CLOSED.lazySet(this, 1);
            holder.closed();
            releasesOwn = own != null && own.leave(this);
            if (!outer.isEmpty()) {
                outerToRelease = outer.stream()
                        .filter(storeLease -> storeLease.leave(this))
                        .toList();
            }
            return true;
        } finally {
            holder.stripe.unlock();
        }
    }

    /** Has the store release what is no longer used, without the stripe's lock. Returns whether all of it was still held there. */
    boolean releaseWith(Releaser releaser) {
        boolean held = !releasesOwn || releaser.release(requireOwn());
        for (StoreLease storeLease : outerToRelease) {
            held &= releaser.release(storeLease);
        }
        return held;
    }

    private StoreLease requireOwn() {
        return Objects.requireNonNull(own);
    }

    /** Marks it lost; false when it was lost or closed before. */
    boolean lose(Loss why) {
        if (closed != 0 || loss != null) {
            return false;
        }
        loss = why;
        return true;
    }

    // ---- afterwards

    /** Whether anything is attached to the loss; what is attached later is notified at once. */
    boolean mustSignalLoss() {
        holder.stripe.lock();
        try {
            return interrupt != null || lost != null;
        } finally {
            holder.stripe.unlock();
        }
    }

    /** Notifies what is attached to the loss; on a thread that may run users' code. */
    void signalLoss() {
        if (interrupt != null) {
            interrupt.fire();
        }
        CompletableFuture<Loss> future;
        holder.stripe.lock();
        try {
            future = lost;
        } finally {
            holder.stripe.unlock();
        }
        if (future != null) {
            future.complete(lossNow());
        }
    }

    LeaseLostException lostException() {
        return API.lost(this, lossNow());
    }

    @Nullable
    Loss loss() {
        return loss;
    }

    ReleaseOutcome end(boolean wasHeld) {
        if (!wasHeld) {
            endedLost = true;
        }
        return outcome();
    }

    /** What can be said of its release before the store has responded. */
    ReleaseOutcome outcomeByClock() {
        boolean held = loss == null && (own == null || own.wasHeldUntilNow());
        for (int i = 0; held && i < outer.size(); i++) {
            held = outer.get(i).wasHeldUntilNow();
        }
        return held ? ReleaseOutcome.RELEASED : ReleaseOutcome.LOST;
    }

    ReleaseOutcome outcome() {
        return endedLost || loss != null ? ReleaseOutcome.LOST : ReleaseOutcome.RELEASED;
    }
}
