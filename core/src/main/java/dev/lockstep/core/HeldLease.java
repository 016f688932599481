package dev.lockstep.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The handle on the grips a request stands on: the one it took, if any was left to take, and outer ones that cover the rest. */
final class HeldLease implements Lease {
    private static final AtomicIntegerFieldUpdater<HeldLease> CLOSED =
            AtomicIntegerFieldUpdater.newUpdater(HeldLease.class, "closed");

    private final StoreLocks locks;
    private final Holder holder;
    private final Ask ask;
    private final @Nullable Grip own;
    private final List<Grip> outer;
    private final @Nullable LossInterrupt interrupt;
    private final long number;

    private volatile @Nullable Loss loss;
    private volatile int closed; // 1 when closed; a number, so that it can be written without a fence
    private volatile boolean endedLost;
    private @Nullable CompletableFuture<Loss> lost;

    /** Called under the lock of the holder's page. */
    HeldLease(StoreLocks locks, Holder holder, Ask ask, @Nullable Grip own, List<Grip> outer) {
        this.locks = locks;
        this.holder = holder;
        this.ask = ask;
        this.own = own;
        this.outer = outer;
        interrupt = ask.request().interruptsOnLoss() ? new LossInterrupt(Thread.currentThread()) : null;
        number = own == null ? holder.nextLeaseNumber() : own.number();
        if (own != null) {
            own.enter(this);
        }
        for (int i = 0; i < outer.size(); i++) {
            outer.get(i).enterNested(this);
        }
    }

    @Nullable
    Grip own() {
        return own;
    }

    Ask ask() {
        return ask;
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
        Grip newest = own != null
                ? own
                : outer.stream().max(Comparator.comparing(Grip::token)).orElseThrow();
        return newest.token();
    }

    @Override
    public List<LockKey> keys() {
        return ask.request().keys();
    }

    @Override
    public String owner() {
        return ask.owner();
    }

    @Override
    public String source() {
        return locks.storeName();
    }

    @Override
    public Instant expiresAt() {
        return grips().stream()
                .map(grip -> grip.leaseTerm().safeUntil())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public boolean isHeld() {
        return loss == null && closed == 0 && (own == null || own.stands()) && outersStand();
    }

    private boolean outersStand() {
        return outer.isEmpty() || outer.stream().allMatch(Grip::stands);
    }

    private List<Grip> grips() {
        List<Grip> grips = new ArrayList<>(outer);
        if (own != null) {
            grips.add(0, own);
        }
        return grips;
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
            return new Loss(endedLost ? Loss.Reason.REFUSED : Loss.Reason.CLOSED, null);
        }
        return new Loss(own != null && !own.stands() ? own.reasonOfEnd() : Loss.Reason.OUTER_LOST, null);
    }

    /** When the locks were had, in nanoseconds of the clock. */
    long heldFrom() {
        return own != null ? own.heldFrom() : ask.askedAt();
    }

    @Override
    public String toString() {
        return "Lease " + id() + " of '" + owner() + "' on " + keys() + ", "
                + (isHeld() ? "held until " + expiresAt() : loss != null ? "lost" : "not held");
    }

    // ---- what it does

    @Override
    public void renew() {
        renew(ask.term().rule().term());
    }

    @Override
    public void renew(Duration term) {
        Durations.requirePositive("The lease term", term, "Give a positive duration, such as Duration.ofSeconds(10).");
        ensureHeld();
        locks.keeper().renewNow(grips(), term);
        ensureHeld();
    }

    @Override
    public Runnable bind(Runnable task) {
        return () -> locks.holders().runAs(holder, task);
    }

    @Override
    public <T> Callable<T> bind(Callable<T> task) {
        return () -> locks.holders().callAs(holder, task);
    }

    @Override
    public ReleaseOutcome release() {
        ReleaseOutcome outcome = locks.release(this);
        disarm();
        return outcome;
    }

    /** Lets no interrupt come any more, and waits for one that is under way. Never under the page's lock. */
    void disarm() {
        if (interrupt != null) {
            interrupt.disarm();
        }
    }

    @Override
    public CompletionStage<Loss> lost() {
        holder.page.lock();
        try {
            if (lost == null) {
                lost = new CompletableFuture<>();
                if (loss != null) {
                    lost.complete(loss);
                }
            }
            return lost.minimalCompletionStage();
        } finally {
            holder.page.unlock();
        }
    }

    // ---- what happens to it, under the lock of the holder's page

    /** Whether the store is still being asked; then only the one who asked ends it. */
    boolean isAsking() {
        return own != null && own.isAsking();
    }

    boolean isOwn(Grip grip) {
        return own == grip;
    }

    /** Leaves all grips, and takes the page's lock for it; answers those that the store must be told of, or null when it was closed before. */
    @Nullable
    List<Grip> closeOnce() {
        holder.page.lock();
        try {
            if (closed != 0) {
                return null;
            }
            CLOSED.lazySet(this, 1);
            if (own != null && outer.isEmpty()) {
                return own.leave(this) ? List.of(own) : List.of();
            }
            List<Grip> left = grips();
            left.removeIf(grip -> !grip.leave(this));
            return left;
        } finally {
            holder.page.unlock();
        }
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

    /** Tells those who wait for the loss; on a thread that may run users' code. */
    void tellLoss() {
        if (interrupt != null) {
            interrupt.fire();
        }
        CompletableFuture<Loss> future;
        holder.page.lock();
        try {
            future = lost;
        } finally {
            holder.page.unlock();
        }
        if (future != null) {
            future.complete(lossNow());
        }
    }

    LeaseLostException lostException() {
        return new LeaseLostException(this, lossNow());
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

    ReleaseOutcome outcome() {
        return endedLost || loss != null ? ReleaseOutcome.LOST : ReleaseOutcome.RELEASED;
    }
}
