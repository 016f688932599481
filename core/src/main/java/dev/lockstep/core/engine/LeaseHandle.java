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
import dev.lockstep.core.spi.LockPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A caller's lease: a handle on the store lease that it requested, if anything was left to acquire, and on outer ones that cover the rest. */
final class LeaseHandle extends StoreLease implements Lease {
    private static final ApiAccess API = ApiAccess.get();

    private final StoreLocks locks;
    private volatile @Nullable LossState lossState;
    private volatile boolean endedLost;
    private boolean releasesOwn;

    /** A request with the defaults filled in; {@link #enter} must follow. */
    LeaseHandle(StoreLocks locks, Holder holder, LockRequest request, Duration waitUnlessGiven) {
        super(holder, request, waitUnlessGiven);
        this.locks = locks;
        if (API.options(request).interruptOnLoss()) {
            lossState = new LossState(new LossInterrupt(Thread.currentThread()));
        }
    }

    @Override
    void enter() {
        super.enter();
        holder.opened();
    }

    @Override
    void enter(LockPlan rest, List<StoreLease> covering) {
        super.enter(rest, covering);
        holder.opened();
        for (StoreLease storeLease : covering) {
            storeLease.enterNested(this);
        }
    }

    @Override
    LeaseHandle handle() {
        return this;
    }

    /** The store lease that it requested; null if outer ones cover all of it. */
    @Nullable
    StoreLease own() {
        return isRequested() ? this : null;
    }

    // ---- what it says

    @Override
    public UUID id() {
        return leaseId();
    }

    @Override
    public FencingToken token() {
        return isRequested()
                ? ownToken()
                : covering().stream()
                        .map(StoreLease::ownToken)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
    }

    @Override
    public List<LockKey> keys() {
        return request().keys();
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
        return loss() == null && !isClosed() && (!isRequested() || stands()) && coveringStand();
    }

    private boolean coveringStand() {
        for (StoreLease storeLease : covering()) {
            if (!storeLease.stands()) {
                return false;
            }
        }
        return true;
    }

    private List<StoreLease> storeLeases() {
        List<StoreLease> storeLeases = new ArrayList<>(covering());
        if (isRequested()) {
            storeLeases.add(0, this);
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
        Loss known = loss();
        if (known != null) {
            return known;
        }
        if (isClosed()) {
            return API.loss(endedLost ? Loss.Reason.REFUSED : Loss.Reason.CLOSED, null);
        }
        return API.loss(isRequested() && !stands() ? reasonOfEnd() : Loss.Reason.OUTER_LOST, null);
    }

    @Override
    public String toString() {
        return "Lease " + id() + " of '" + owner() + "' on " + keys() + ", "
                + (isHeld() ? "held until " + expiresAt() : loss() != null ? "lost" : "not held");
    }

    // ---- what it does

    @Override
    public void renew() {
        renew(askedTerm());
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
        return API.mode(request(), 0) == LockMode.SHARED;
    }

    boolean hasOuter() {
        return !covering().isEmpty();
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
        LossState current = lossState;
        if (current != null && current.interrupt != null) {
            current.interrupt.disarm();
        }
    }

    @Override
    public CompletionStage<Loss> lost() {
        holder.stripe.lock();
        try {
            LossState current = lossStateLocked();
            if (current.future == null) {
                current.future = new CompletableFuture<>();
                if (current.loss != null) {
                    current.future.complete(current.loss);
                }
            }
            return current.future.minimalCompletionStage();
        } finally {
            holder.stripe.unlock();
        }
    }

    // ---- what happens to it, under the lock of the holder's stripe

    private LossState lossStateLocked() {
        LossState current = lossState;
        if (current == null) {
            current = new LossState(null);
            lossState = current;
        }
        return current;
    }

    /** Leaves all store leases; false if it was closed before. {@link #releaseWith} must follow. */
    boolean closeOnce() {
        holder.stripe.lock();
        try {
            if (isClosed()) {
                return false;
            }
            markClosed();
            holder.closed();
            releasesOwn = isRequested() && leave(this);
            leaveCovering(this);
            return true;
        } finally {
            holder.stripe.unlock();
        }
    }

    /** Has the store release what is no longer used, without the stripe's lock. Returns whether all of it was still held there. */
    boolean releaseWith(Releaser releaser) {
        boolean held = !releasesOwn || releaser.release(this);
        for (StoreLease storeLease : coveringToRelease()) {
            held &= releaser.release(storeLease);
        }
        return held;
    }

    /** Marks it lost; false when it was lost or closed before. */
    boolean lose(Loss why) {
        if (isClosed() || loss() != null) {
            return false;
        }
        lossStateLocked().loss = why;
        return true;
    }

    // ---- afterwards

    /** Whether anything is attached to the loss; what is attached later is notified at once. */
    boolean mustSignalLoss() {
        holder.stripe.lock();
        try {
            LossState current = lossState;
            return current != null && (current.interrupt != null || current.future != null);
        } finally {
            holder.stripe.unlock();
        }
    }

    /** Notifies what is attached to the loss; on a thread that may run users' code. */
    void signalLoss() {
        CompletableFuture<Loss> future;
        LossState current;
        holder.stripe.lock();
        try {
            current = lossStateLocked();
            future = current.future;
        } finally {
            holder.stripe.unlock();
        }
        if (current.interrupt != null) {
            current.interrupt.fire();
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
        LossState current = lossState;
        return current == null ? null : current.loss;
    }

    ReleaseOutcome end(boolean wasHeld) {
        if (!wasHeld) {
            endedLost = true;
        }
        return outcome();
    }

    /** What can be said of its release before the store has responded. */
    ReleaseOutcome outcomeByClock() {
        boolean held = loss() == null && (!isRequested() || wasOwnHeldUntilNow());
        List<StoreLease> covering = covering();
        for (int i = 0; held && i < covering.size(); i++) {
            held = covering.get(i).wasHeldUntilNow();
        }
        return held ? ReleaseOutcome.RELEASED : ReleaseOutcome.LOST;
    }

    /** Where the store is asked as well, its response decides about the last moment. */
    private boolean wasOwnHeldUntilNow() {
        return releasesOwn ? !leaseTerm().hasExpiredByRecentReading(clock()) : wasHeldUntilNow();
    }

    ReleaseOutcome outcome() {
        return endedLost || loss() != null ? ReleaseOutcome.LOST : ReleaseOutcome.RELEASED;
    }
}
