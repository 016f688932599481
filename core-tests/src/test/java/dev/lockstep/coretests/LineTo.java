package dev.lockstep.coretests;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** A store as one process reaches it: when the line is cut, nothing gets through, its register included. */
final class LineTo extends StoreAround {
    private final LockStore store;
    private final String address;
    private final AtomicInteger pings = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile boolean cut;

    LineTo(LockStore store) {
        this(store, "");
    }

    LineTo(LockStore store, String address) {
        super(store);
        this.store = store;
        this.address = address;
    }

    @Override
    public Optional<String> address() {
        return Optional.of(address).filter(known -> !known.isEmpty());
    }

    void cut() {
        cut = true;
    }

    void mend() {
        cut = false;
    }

    /** How often the register was asked for, in vain or not. */
    int reads() {
        return reads.get();
    }

    /** What was asked of the store for leases, in order. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    int pings() {
        return pings.get();
    }

    private void pass() {
        if (cut) {
            throw new LockException(ErrorCode.STORE_UNAVAILABLE, "The line is cut.", List.of(), null);
        }
    }

    @Override
    public Optional<EpochRegister> epochs(String name) {
        return store.epochs(name).map(this::through);
    }

    private EpochRegister through(EpochRegister register) {
        return new EpochRegister() {
            @Override
            public void requireUsable() {
                pass();
                register.requireUsable();
            }

            @Override
            public Epoch read() {
                reads.incrementAndGet();
                pass();
                return register.read();
            }

            @Override
            public boolean replace(Epoch expected, Epoch next) {
                pass();
                return register.replace(expected, next);
            }
        };
    }

    @Override
    public void declare(List<KindDefinition> kinds) {
        pass();
        store.declare(kinds);
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        pass();
        calls.add("acquire");
        return store.acquire(request);
    }

    @Override
    public CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        pass();
        calls.add("acquire");
        return store.acquireAsync(request, blocking);
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        pass();
        return store.renew(renewals);
    }

    @Override
    public void downgrade(StoreGrant grant) {
        pass();
        store.downgrade(grant);
    }

    @Override
    public boolean release(StoreGrant grant) {
        pass();
        boolean held = store.release(grant);
        calls.add("released");
        return held;
    }

    @Override
    public LockSnapshot snapshot() {
        pass();
        return store.snapshot();
    }

    @Override
    public void ping() {
        pings.incrementAndGet();
        pass();
    }

    @Override
    public void close() {}
}
