package dev.lockstep.core.fallback;

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

/** A request on its way to one of the two stores, which can be cancelled there when its epoch ends. */
final class RoutedRequest implements StoreRequest {
    private final StoreRequest request;
    private final EpochView view;
    private final List<StoreGrant> outer;
    private volatile boolean calledOff;

    RoutedRequest(StoreRequest request, EpochView view, List<StoreGrant> outer) {
        this.request = request;
        this.view = view;
        this.outer = outer;
    }

    EpochView view() {
        return view;
    }

    void callOff() {
        calledOff = true;
    }

    /** Whether the pair ended the wait, and not the caller. */
    boolean isCalledOff() {
        return calledOff && !request.isCancelled();
    }

    @Override
    public boolean isCancelled() {
        return calledOff || request.isCancelled();
    }

    @Override
    public List<StoreGrant> outer() {
        return outer;
    }

    @Override
    public UUID leaseId() {
        return request.leaseId();
    }

    @Override
    public String owner() {
        return request.owner();
    }

    @Override
    public long holder() {
        return request.holder();
    }

    @Override
    public LockPlan plan() {
        return request.plan();
    }

    @Override
    public boolean waits() {
        return request.waits();
    }

    @Override
    public Deadline deadline() {
        return request.deadline();
    }

    @Override
    public Duration term() {
        return request.term();
    }

    @Override
    public void markStart() {
        request.markStart();
    }

    @Override
    public void markStart(long nanos, long millis) {
        request.markStart(nanos, millis);
    }

    @Override
    public long startNanos() {
        return request.startNanos();
    }

    @Override
    public LockClock clock() {
        return request.clock();
    }

    @Override
    public boolean isOver() {
        return request.isOver();
    }

    @Override
    public void contended() {
        request.contended();
    }

    @Override
    public Optional<CallSite> callSite() {
        return request.callSite();
    }
}
