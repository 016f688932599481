package dev.lockstep.core.engine;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.slots.SlotStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Locks for permits: each lease has its own holder, so that a second permit of a thread is not covered by its first one. */
final class DetachedLocks implements SlotStore {
    private final StoreLocks locks;
    private final HolderTable holders;
    private final LockStore store;
    private final LockSettings settings;

    DetachedLocks(StoreLocks locks, HolderTable holders, LockStore store, LockSettings settings) {
        this.locks = locks;
        this.holders = holders;
        this.store = store;
        this.settings = settings;
    }

    @Override
    public Lease acquire(LockRequest request) {
        return locks.acquire(request, holders.newHolder());
    }

    @Override
    public Attempt tryAcquire(LockRequest request) {
        return locks.tryAcquire(request, holders.newHolder());
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return locks.acquireAsync(request, holders.newHolder());
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public Optional<SharedNumbers> numbers() {
        return store.numbers();
    }

    @Override
    public boolean waitsBlock() {
        return store.traits().contains(StoreTrait.BLOCKING_WAITS);
    }

    @Override
    public Object lockedFor(LockKey key) {
        return store.lockedFor(key);
    }

    @Override
    public LockClock clock() {
        return settings.clock();
    }

    @Override
    public Duration defaultWait() {
        return settings.longestWait();
    }
}
