package dev.lockstep.core.slots;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The lease on a slot, whose release is noticed. */
final class PermitLease implements Lease {
    private final Lease lease;
    private final Runnable released;

    PermitLease(Lease lease, Runnable released) {
        this.lease = lease;
        this.released = released;
    }

    @Override
    public ReleaseOutcome release() {
        try {
            return lease.release();
        } finally {
            released.run();
        }
    }

    @Override
    public UUID id() {
        return lease.id();
    }

    @Override
    public FencingToken token() {
        return lease.token();
    }

    @Override
    public List<LockKey> keys() {
        return lease.keys();
    }

    @Override
    public String owner() {
        return lease.owner();
    }

    @Override
    public String source() {
        return lease.source();
    }

    @Override
    public Instant expiresAt() {
        return lease.expiresAt();
    }

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public void ensureHeld() {
        lease.ensureHeld();
    }

    @Override
    public void renew() {
        lease.renew();
    }

    @Override
    public void renew(Duration term) {
        lease.renew(term);
    }

    /** A permit stays exclusive: shared by two, it would be two permits. */
    @Override
    public LockMode downgrade() {
        lease.ensureHeld();
        return LockMode.EXCLUSIVE;
    }

    @Override
    public CompletionStage<Loss> lost() {
        return lease.lost();
    }

    @Override
    public Runnable bind(Runnable task) {
        return lease.bind(task);
    }

    @Override
    public <T> Callable<T> bind(Callable<T> task) {
        return lease.bind(task);
    }

    @Override
    public Lease acquire(LockRequest request) {
        return lease.acquire(request);
    }

    @Override
    public Attempt tryAcquire(LockRequest request) {
        return lease.tryAcquire(request);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return lease.acquireAsync(request);
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
