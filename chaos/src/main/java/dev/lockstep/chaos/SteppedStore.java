package dev.lockstep.chaos;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A store whose holders go by a clock of this process that jumps. */
final class SteppedStore extends StoreAround {
    private final LockStore inner;
    private final LockClock clock;

    SteppedStore(LockStore inner, LockClock clock) {
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
