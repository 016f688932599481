package dev.lockstep.etcd;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A request to the store itself, without the engine above it, which does not wait. */
final class PlainRequest implements StoreRequest {
    private final UUID id = UUID.randomUUID();
    private final LockPlan plan;
    private final Duration term;
    private volatile long start = System.nanoTime();

    PlainRequest(LockRequest request, Duration term) {
        plan = LockPlan.of(request);
        this.term = term;
    }

    @Override
    public UUID leaseId() {
        return id;
    }

    @Override
    public String owner() {
        return "plain";
    }

    @Override
    public long holder() {
        return 1;
    }

    @Override
    public LockPlan plan() {
        return plan;
    }

    @Override
    public boolean waits() {
        return false;
    }

    @Override
    public Deadline deadline() {
        return Deadline.at(start, clock());
    }

    @Override
    public Duration term() {
        return term;
    }

    @Override
    public void markStart() {
        start = System.nanoTime();
    }

    @Override
    public void markStart(long nanos, long millis) {
        start = nanos;
    }

    @Override
    public long startNanos() {
        return start;
    }

    @Override
    public LockClock clock() {
        return LockClock.system();
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public List<StoreGrant> outer() {
        return List.of();
    }

    @Override
    public boolean isOver() {
        return false;
    }

    @Override
    public void contended() {}

    @Override
    public Optional<CallSite> callSite() {
        return Optional.empty();
    }
}
