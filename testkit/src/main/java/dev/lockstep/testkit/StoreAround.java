package dev.lockstep.testkit;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A store around another one, which does what those around it leave alone. */
abstract class StoreAround implements LockStore {
    private final LockStore inner;

    StoreAround(LockStore inner) {
        this.inner = inner;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Set<StoreTrait> traits() {
        return inner.traits();
    }

    @Override
    public LockClock clock() {
        return inner.clock();
    }

    @Override
    public void declare(List<KindDefinition> kinds) {
        inner.declare(kinds);
    }

    @Override
    public void cancel(StoreRequest request) {
        inner.cancel(request);
    }

    @Override
    public LockSnapshot snapshot() {
        return inner.snapshot();
    }

    @Override
    public void ping() {
        inner.ping();
    }

    @Override
    public Optional<String> identity() {
        return inner.identity();
    }

    @Override
    public Optional<EpochRegister> epochs(String name) {
        return inner.epochs(name);
    }

    @Override
    public Locks.Subscription subscribe(Consumer<LockEvent> listener) {
        return inner.subscribe(listener);
    }

    @Override
    public void close() {
        inner.close();
    }
}
