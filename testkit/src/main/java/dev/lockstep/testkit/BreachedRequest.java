package dev.lockstep.testkit;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A request as a store understands it that breaks its contract: with another plan, another term, without a wait. */
record BreachedRequest(StoreRequest asked, UUID leaseId, LockPlan plan, Duration term, boolean waits)
        implements StoreRequest {
    static BreachedRequest of(StoreRequest asked) {
        return new BreachedRequest(asked, asked.leaseId(), asked.plan(), asked.term(), asked.waits());
    }

    BreachedRequest plan(LockPlan other) {
        return new BreachedRequest(asked, leaseId, other, term, waits);
    }

    BreachedRequest term(Duration other) {
        return new BreachedRequest(asked, leaseId, plan, other, waits);
    }

    /** For a part of what was asked for. */
    BreachedRequest part(LockPlan other, boolean waiting) {
        return new BreachedRequest(asked, UUID.randomUUID(), other, term, waiting);
    }

    @Override
    public String owner() {
        return asked.owner();
    }

    @Override
    public long holder() {
        return asked.holder();
    }

    @Override
    public Deadline deadline() {
        return asked.deadline();
    }

    @Override
    public void markStart() {
        asked.markStart();
    }

    @Override
    public void markStart(long nanos, long millis) {
        asked.markStart(nanos, millis);
    }

    @Override
    public long startNanos() {
        return asked.startNanos();
    }

    @Override
    public LockClock clock() {
        return asked.clock();
    }

    @Override
    public boolean isCancelled() {
        return asked.isCancelled();
    }

    @Override
    public List<StoreGrant> outer() {
        return asked.outer().stream().map(BreachedGrant::within).toList();
    }

    @Override
    public boolean isOver() {
        return term.equals(asked.term()) && asked.isOver(); // a store that ignores terms ignores that too
    }

    @Override
    public void contended() {
        asked.contended();
    }

    @Override
    public Optional<CallSite> callSite() {
        return asked.callSite();
    }
}
