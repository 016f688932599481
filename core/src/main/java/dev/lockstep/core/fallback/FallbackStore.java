package dev.lockstep.core.fallback;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.Epoch.Side;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.Lazy;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Two stores as one: locks are on the primary while it is reachable, and on the secondary while it is not. A switch never leads to two holders: a
 * register in the secondary records which store grants, a process grants only while it has confirmed that recently, and after a switch nothing is
 * granted until every earlier lease has expired.
 *
 * <p>It switches when the primary is proven to be unreachable for any process, and back when it is reachable for all of them. Busy or slow locks and
 * timeouts never cause a switch. Configure it before the first use: each configuration method returns another store.
 */
public final class FallbackStore implements LockStore {
    private final Stores stores;
    private final FallbackOptions options;
    private final List<Consumer<LockEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Lazy<RunningFallback> running;

    private FallbackStore(Stores stores, FallbackOptions options) {
        this.stores = stores;
        this.options = options;
        running = new Lazy<>(
                "The fallback store", () -> new RunningFallback(stores, register(), options, this::tell).start());
    }

    /** Locks on the primary, or on the secondary while the primary is unreachable. The secondary must be a database: it keeps the register. */
    public static FallbackStore of(LockStore primary, LockStore secondary) {
        Objects.requireNonNull(primary, "primary");
        Objects.requireNonNull(secondary, "secondary");
        return new FallbackStore(new Stores(primary, secondary), FallbackOptions.DEFAULT);
    }

    private FallbackStore with(FallbackOptions other) {
        return new FallbackStore(stores, other);
    }

    /** The same with another name in the register, where several pairs share a secondary; {@code default} by default. */
    public FallbackStore named(String name) {
        return with(options.named(name));
    }

    /**
     * The same with this limit on how long a process continues without a response from the secondary; 10 seconds by default, and the same in all
     * processes. It is part of the time in which nothing is granted after a switch.
     */
    public FallbackStore epochTerm(Duration term) {
        return with(options.epochTerm(term));
    }

    /**
     * The same with this longest lease term; 30 seconds by default, and the same in all processes. It is part of the time in which
     * nothing is granted after a switch. Redis has its own longest term, which must not be shorter.
     */
    public FallbackStore longestTerm(Duration term) {
        return with(options.longestTerm(term));
    }

    /** The same, but treats the primary as unavailable after this long without a response; 5 seconds by default. */
    public FallbackStore unavailableAfter(Duration time) {
        return with(options.unavailableAfter(time));
    }

    /** The same, but returns to the primary after it was reachable for all processes for this long; a minute by default. */
    public FallbackStore returnAfter(Duration time) {
        return with(options.returnAfter(time));
    }

    /** The same with another behaviour while the secondary is unreachable; {@link WithoutSecondary#STOP} by default. */
    public FallbackStore withoutSecondary(WithoutSecondary rule) {
        return with(options.withoutSecondary(Objects.requireNonNull(rule, "rule")));
    }

    /**
     * The same with a name for the primary, for processes that reach one server at different addresses. All processes of a pair must name the same
     * one, by default by its address: two that use different servers are refused.
     */
    public FallbackStore primaryNamed(String name) {
        return with(options.primary(Objects.requireNonNull(name, "name")));
    }

    private EpochRegister register() {
        return stores.at(Side.SECONDARY)
                .epochs(options.name())
                .orElseThrow(() -> new InvalidRequestException(
                        "The secondary, " + stores.at(Side.SECONDARY).name()
                                + ", can't keep the register that records which store grants. Give a store on MySQL, MariaDB or"
                                + " PostgreSQL as the secondary."));
    }

    /**
     * Starts it now instead of at its first use.
     *
     * @throws InvalidRequestException if the two stores can't be a pair
     */
    public FallbackStore start() {
        running.get();
        return this;
    }

    /** Which store is in use. */
    public FallbackState state() {
        return running.get().router.state();
    }

    // ---- the store

    @Override
    public String name() {
        return stores.name();
    }

    @Override
    public Set<StoreTrait> traits() {
        return stores.traits();
    }

    @Override
    public LockClock clock() {
        return stores.clock();
    }

    @Override
    public void declare(List<KindDefinition> kinds) {
        running.get().router.declare(kinds);
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return running.get().router.acquire(request);
    }

    @Override
    public CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        return running.get().router.acquireAsync(request, blocking);
    }

    @Override
    public void cancel(StoreRequest request) {
        running.ifMade().ifPresent(made -> made.inFlight.cancel(request, stores));
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return running.get().router.renew(renewals);
    }

    @Override
    public Object renewedWith(StoreGrant grant) {
        EpochGrant given = (EpochGrant) grant;
        LockStore store = stores.at(given.side());
        Object dependsOn = store.renewedWith(given.inner());
        return dependsOn == store ? this : dependsOn;
    }

    @Override
    public boolean release(StoreGrant grant) {
        return running.get().router.release((EpochGrant) grant);
    }

    @Override
    public LockSnapshot snapshot() {
        return running.get().router.snapshot();
    }

    @Override
    public void ping() {
        running.get().router.ping();
    }

    @Override
    public Optional<String> identity() {
        return stores.at(Side.PRIMARY).identity();
    }

    /** The secondary's, which are there whichever store grants. */
    @Override
    public Optional<SharedNumbers> numbers() {
        return stores.at(Side.SECONDARY).numbers();
    }

    /** As on the secondary, a database; other stores don't map keys. */
    @Override
    public Object lockedFor(LockKey key) {
        return stores.at(Side.SECONDARY).lockedFor(key);
    }

    @Override
    public Locks.Subscription subscribe(Consumer<LockEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void tell(LockEvent event) {
        listeners.forEach(listener -> listener.accept(event));
    }

    @Override
    public void close() {
        boolean[] ran = new boolean[1];
        running.close(made -> {
            ran[0] = true;
            made.close();
        });
        if (!ran[0]) {
            stores.close();
        }
    }
}
