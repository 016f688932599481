package dev.lockstep.core.spi;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A store around another one, for those that stand between a store and its users. Taking, renewing and releasing are theirs, and taking
 * without blocking goes by their {@link #acquire} on a thread; the rest the inner store does. One whose grants are not those of the inner store
 * overrides {@link #downgrade} and {@link #renewedWith}, too.
 */
public abstract class StoreAround implements LockStore {
    private final LockStore inner;

    /** Around this one, which it closes with itself. */
    protected StoreAround(LockStore inner) {
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
    public Object renewedWith(StoreGrant grant) {
        Object dependsOn = inner.renewedWith(grant);
        return dependsOn == inner ? this : dependsOn;
    }

    @Override
    public boolean canDowngrade() {
        return inner.canDowngrade();
    }

    @Override
    public void downgrade(StoreGrant grant) {
        inner.downgrade(grant);
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
    public Optional<String> address() {
        return inner.address();
    }

    @Override
    public Optional<EpochRegister> epochs(String name) {
        return inner.epochs(name);
    }

    @Override
    public Optional<SharedNumbers> numbers() {
        return inner.numbers();
    }

    @Override
    public Object lockedFor(LockKey key) {
        return inner.lockedFor(key);
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
