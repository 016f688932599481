package dev.lockstep.core.fallback;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import java.util.List;
import java.util.Set;

/** A server as one process sees it through its line. */
final class SimStore implements LockStore {
    private final SimServer server;
    private final SimLine line;
    private final LockClock processClock;

    SimStore(SimServer server, SimLine line, LockClock processClock) {
        this.server = server;
        this.line = line;
        this.processClock = processClock;
    }

    EpochRegister register() {
        EpochRegister inner = server.store.epochs("pair").orElseThrow();
        return new EpochRegister() {
            @Override
            public void requireUsable() {}

            @Override
            public Epoch read() {
                return line.call(inner::read);
            }

            @Override
            public boolean replace(Epoch expected, Epoch next) {
                return line.call(() -> inner.replace(expected, next));
            }
        };
    }

    @Override
    public String name() {
        return server.name;
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of();
    }

    @Override
    public LockClock clock() {
        return processClock;
    }

    @Override
    public void declare(List<KindDefinition> kinds) {}

    @Override
    public StoreAnswer acquire(StoreRequest request) {
        return line.call(() -> {
            request.markStart(); // as a store does that waits, and asks again
            try {
                return server.store.acquire(request);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Override
    public void cancel(StoreRequest request) {}

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return line.call(() -> server.store.renew(renewals));
    }

    @Override
    public boolean release(StoreGrant grant) {
        return line.call(() -> server.store.release(grant));
    }

    @Override
    public LockSnapshot snapshot() {
        return line.call(server.store::snapshot);
    }

    @Override
    public void ping() {
        line.call(() -> true);
    }

    @Override
    public void close() {}
}
