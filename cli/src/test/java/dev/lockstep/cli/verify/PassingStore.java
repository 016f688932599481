package dev.lockstep.cli.verify;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.util.List;

/** A store that does what the one inside does, for tests that change one thing about it. */
class PassingStore extends StoreAround {
    private final LockStore inner;

    PassingStore(LockStore inner) {
        super(inner);
        this.inner = inner;
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return inner.acquire(request);
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
