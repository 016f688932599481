package dev.lockstep.cli.verify;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes a lock on the one store, and on the other one when that fails; a lock that is taken is a failure, too. What a fallback must not be. */
final class NaivePair extends StoreAround {
    private final LockStore primary;
    private final LockStore secondary;
    private final AtomicInteger failures = new AtomicInteger();
    private final Map<StoreGrant, LockStore> grantedBy = new ConcurrentHashMap<>();

    NaivePair(LockStore primary, LockStore secondary) {
        super(primary);
        this.primary = primary;
        this.secondary = secondary;
    }

    @Override
    public void declare(List<KindDefinition> kinds) {
        secondary.declare(kinds);
        try {
            primary.declare(kinds);
        } catch (LockException e) {
            return; // it goes on without
        }
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        try {
            return acquire(request, primary);
        } catch (LockException e) {
            return acquire(request, secondary);
        }
    }

    private StoreAnswer acquire(StoreRequest request, LockStore store) throws InterruptedException {
        StoreAnswer answer = store.acquire(request);
        if (answer instanceof StoreGrant grant) {
            grantedBy.put(grant, store);
        } else {
            failures.incrementAndGet();
        }
        return answer;
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return renewals.stream()
                .flatMap(renewal -> by(renewal.grant()).renew(List.of(renewal)).stream())
                .toList();
    }

    @Override
    public boolean canDowngrade() {
        return false; // the two may differ in that
    }

    @Override
    public boolean release(StoreGrant grant) {
        return by(grant).release(grant);
    }

    private LockStore by(StoreGrant grant) {
        return grantedBy.getOrDefault(grant, primary);
    }

    @Override
    public LockSnapshot snapshot() {
        return secondary
                .snapshot()
                .in(new FallbackState(
                        "one", "other", false, failures.get(), FallbackState.Grants.YES, Duration.ZERO, true, true));
    }
}
