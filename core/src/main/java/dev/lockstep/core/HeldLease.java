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
import org.jspecify.annotations.Nullable;

/** The handle on the grips a request stands on: the one it took, if any was left to take, and outer ones that cover the rest. */
final class HeldLease implements Lease {
    private final StoreLocks locks;
    private final Holder holder;
    private final Ask ask;
    private final @Nullable Grip own;
    private final List<Grip> grips;
    private final @Nullable Thread interruptible;
    private final long number;

    private volatile @Nullable Loss loss;
    private volatile @Nullable ReleaseOutcome outcome;
    private boolean closed;
    private @Nullable CompletableFuture<Loss> lost;

    /** Called under the lock of the holder's page. */
    HeldLease(StoreLocks locks, Holder holder, Ask ask, @Nullable Grip own, List<Grip> grips) {
        this.locks = locks;
        this.holder = holder;
        this.ask = ask;
        this.own = own;
        this.grips = grips;
        interruptible = ask.request().interruptsOnLoss() ? Thread.currentThread() : null;
        number = own == null ? holder.nextLeaseNumber() : own.number();
        for (int i = 0; i < grips.size(); i++) {
            grips.get(i).enter(this);
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

    @Override
    public UUID id() {
        return LeaseIds.of(number);
    }

    @Override
    public FencingToken token() {
        Grip newest = own != null
                ? own
                : grips.stream().max(Comparator.comparing(Grip::token)).orElseThrow();
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
        return grips.stream()
                .map(grip -> grip.term.safeUntil())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public boolean isHeld() {
        return loss == null && outcome == null && grips.stream().allMatch(Grip::stands);
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw lostException();
        }
    }

    private Loss lossNow() {
        Loss known = loss;
        return known != null ? known : new Loss(Loss.Reason.EXPIRED, null);
    }

    @Override
    public String toString() {
        return "Lease " + id() + " of '" + owner() + "' on " + keys() + ", "
                + (isHeld() ? "held until " + expiresAt() : loss != null ? "lost" : "not held");
    }

    // ---- what it does

    @Override
    public void renew() {
        renew(Duration.ofNanos(ask.term().nanos()));
    }

    @Override
    public void renew(Duration term) {
        Durations.requirePositive("The lease term", term, "Give a positive duration, such as Duration.ofSeconds(10).");
        ensureHeld();
        locks.keeper().renewNow(grips, term);
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
        return locks.release(this);
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

    boolean isOwn(Grip grip) {
        return own == grip;
    }

    /** Leaves all grips; answers those that the store must be told of, or null when it was closed before. */
    @Nullable
    List<Grip> closeOnce() {
        holder.page.lock();
        try {
            if (closed) {
                return null;
            }
            closed = true;
            List<Grip> left = new ArrayList<>(1);
            for (int i = 0; i < grips.size(); i++) {
                if (grips.get(i).leave(this)) {
                    left.add(grips.get(i));
                }
            }
            return left;
        } finally {
            holder.page.unlock();
        }
    }

    /** Marks it lost; false when it was lost or closed before. */
    boolean lose(Loss why) {
        if (closed || loss != null) {
            return false;
        }
        loss = why;
        if (interruptible != null) {
            interruptible.interrupt();
        }
        return true;
    }

    // ---- afterwards

    /** Tells those who wait for the loss; on a thread that may run users' code. */
    void tellLoss() {
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
        ReleaseOutcome result = wasHeld && loss == null ? ReleaseOutcome.RELEASED : ReleaseOutcome.LOST;
        outcome = result;
        return result;
    }

    ReleaseOutcome outcome() {
        ReleaseOutcome known = outcome;
        return known != null ? known : loss == null ? ReleaseOutcome.RELEASED : ReleaseOutcome.LOST;
    }
}
