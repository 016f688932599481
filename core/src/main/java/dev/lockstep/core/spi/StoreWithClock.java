package dev.lockstep.core.spi;

import dev.lockstep.core.LockClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A store seen by holders whose clock is another one. For tests of clocks that are wrong; locks always go by the clock of their store. */
public final class StoreWithClock extends StoreAround {
    private final LockStore inner;
    private final LockClock clock;

    /** The inner store, which it closes with itself, and the clock of the holders. */
    public StoreWithClock(LockStore inner, LockClock clock) {
        super(inner);
        this.inner = inner;
        this.clock = clock;
    }

    @Override
    public LockClock clock() {
        return clock;
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return inner.acquire(request);
    }

    @Override
    public CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        return inner.acquireAsync(request, blocking);
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return inner.renew(renewals);
    }

    @Override
    public boolean release(StoreGrant grant) {
        return inner.release(grant);
    }
}
