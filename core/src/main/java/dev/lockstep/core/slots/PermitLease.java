package dev.lockstep.core.slots;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.internal.ApiAccess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The lease of one holder of a permit. The lease on the slot may outlast it, and serve the next holder. */
final class PermitLease implements Lease {
    private static final ApiAccess API = ApiAccess.get();

    private final Lease slot;
    private final Ending ending;
    private final UUID id;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable ReleaseOutcome outcome;
    private volatile boolean hasChildren;

    /** What is done with the slot at the end. */
    @FunctionalInterface
    interface Ending {
        /** {@code alone}: whether nothing else uses the lease on the slot. */
        ReleaseOutcome of(boolean alone);
    }

    PermitLease(Lease slot, Ending ending) {
        this.slot = slot;
        this.ending = ending;
        id = new UUID(
                slot.id().getMostSignificantBits(), ThreadLocalRandom.current().nextLong());
    }

    @Override
    public ReleaseOutcome release() {
        if (closed.compareAndSet(false, true)) {
            outcome = ending.of(!hasChildren);
        }
        ReleaseOutcome known = outcome;
        return known == null ? ReleaseOutcome.RELEASED : known;
    }

    @Override
    public UUID id() {
        return id;
    }

    @Override
    public FencingToken token() {
        return slot.token();
    }

    @Override
    public List<LockKey> keys() {
        return slot.keys();
    }

    @Override
    public String owner() {
        return slot.owner();
    }

    @Override
    public String source() {
        return slot.source();
    }

    @Override
    public Instant expiresAt() {
        return slot.expiresAt();
    }

    @Override
    public boolean isHeld() {
        return !closed.get() && slot.isHeld();
    }

    @Override
    public void ensureHeld() {
        slot.ensureHeld();
        if (closed.get()) {
            throw API.lost(this, API.loss(Loss.Reason.CLOSED, null));
        }
    }

    @Override
    public void renew() {
        ensureHeld();
        slot.renew();
    }

    @Override
    public void renew(Duration term) {
        ensureHeld();
        slot.renew(term);
    }

    /** A permit stays exclusive: shared by two, it would be two permits. */
    @Override
    public LockMode downgrade() {
        ensureHeld();
        return LockMode.EXCLUSIVE;
    }

    @Override
    public CompletionStage<Loss> lost() {
        CompletableFuture<Loss> lost = new CompletableFuture<>();
        CompletionStage<?> unused = slot.lost().thenAccept(loss -> {
            if (!closed.get()) {
                lost.complete(loss);
            }
        });
        return lost.minimalCompletionStage();
    }

    @Override
    public Runnable bind(Runnable task) {
        hasChildren = true;
        return slot.bind(() -> {
            ensureHeld();
            task.run();
        });
    }

    @Override
    public <T> Callable<T> bind(Callable<T> task) {
        hasChildren = true;
        return slot.bind(() -> {
            ensureHeld();
            return task.call();
        });
    }

    private Lease parent() {
        hasChildren = true; // before the check: a release between the two would pass the slot on
        ensureHeld();
        return slot;
    }

    @Override
    public Lease acquire(LockRequest request) {
        return parent().acquire(request);
    }

    @Override
    public Attempt tryAcquire(LockRequest request) {
        return parent().tryAcquire(request);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return parent().acquireAsync(request);
    }

    @Override
    public String toString() {
        return closed.get() ? "Released permit " + keys() : slot.toString();
    }
}
