package dev.lockstep.core.fallback;

import dev.lockstep.core.FallbackState;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.Epoch.Side;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.Lazy;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
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
 * Two stores as one: locks are on the primary as long as it can be reached, and on the secondary while it can't. There are never two
 * holders because of a switch: a register in the secondary says whose turn it is, a process grants only while it has that in writing,
 * and after a switch nothing is granted until every lease of before is over.
 *
 * <p>It switches when the primary is proven to be away, for any process, and back when it is reachable for all of them. Locks that are
 * taken, slow or not had in time never make it switch. Configure before the first use: each of the methods that do answers another store.
 */
public final class FallbackStore implements LockStore {
    private final Stores stores;
    private final Options options;
    private final List<Consumer<LockEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Lazy<RunningPair> pair;

    private FallbackStore(Stores stores, Options options) {
        this.stores = stores;
        this.options = options;
        pair = new Lazy<>("The fallback store", () -> new RunningPair(stores, register(), options, this::tell).start());
    }

    /** Locks on the primary, with the secondary for when that is away. The secondary must have an epoch register: a database has one. */
    public static FallbackStore of(LockStore primary, LockStore secondary) {
        Objects.requireNonNull(primary, "primary");
        Objects.requireNonNull(secondary, "secondary");
        return new FallbackStore(new Stores(primary, secondary), Options.DEFAULT);
    }

    private FallbackStore with(Options other) {
        return new FallbackStore(stores, other);
    }

    /** The same with another name in the register, where several pairs share a secondary; {@code default} by default. */
    public FallbackStore named(String name) {
        return with(options.named(name));
    }

    /**
     * The same, in which a process goes on for so long without word from the secondary; 10 seconds by default, and the same in all
     * processes. It is part of the time in which nothing is granted after a switch.
     */
    public FallbackStore epochTerm(Duration term) {
        return with(options.epochTerm(term));
    }

    /**
     * The same with this longest lease term; 30 seconds by default, and the same in all processes. It is part of the time in which
     * nothing is granted after a switch. Redis has a longest term of its own, which must not be shorter.
     */
    public FallbackStore longestTerm(Duration term) {
        return with(options.longestTerm(term));
    }

    /** The same, taking the primary for away when it has not answered for so long; 5 seconds by default. */
    public FallbackStore unavailableAfter(Duration time) {
        return with(options.unavailableAfter(time));
    }

    /** The same, going back to the primary when it was reachable for all processes for so long; a minute by default. */
    public FallbackStore returnAfter(Duration time) {
        return with(options.returnAfter(time));
    }

    /** The same with what to do while the secondary can't be reached; {@link WithoutSecondary#STOP} by default. */
    public FallbackStore withoutSecondary(WithoutSecondary rule) {
        return with(options.withoutSecondary(Objects.requireNonNull(rule, "rule")));
    }

    private EpochRegister register() {
        return stores.at(Side.SECONDARY)
                .epochs(options.name())
                .orElseThrow(() -> new InvalidRequestException(
                        "The secondary, " + stores.at(Side.SECONDARY).name()
                                + ", can't keep the register that says which store's turn it is. Give a store on MySQL, MariaDB or"
                                + " PostgreSQL as the secondary."));
    }

    /** Starts it now, which its first use would do otherwise: refuses two stores that can't be a pair. */
    public FallbackStore start() {
        pair.get();
        return this;
    }

    /** Which store is in use. */
    public FallbackState state() {
        return pair.get().pair.state();
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
        pair.get().pair.declare(kinds);
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return pair.get().pair.acquire(request);
    }

    @Override
    public CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        return pair.get().pair.acquireAsync(request, blocking);
    }

    @Override
    public void cancel(StoreRequest request) {
        pair.ifMade().ifPresent(made -> made.underWay.cancel(request, stores));
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return pair.get().pair.renew(renewals);
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
        return pair.get().pair.release((EpochGrant) grant);
    }

    @Override
    public LockSnapshot snapshot() {
        return pair.get().pair.snapshot();
    }

    @Override
    public void ping() {
        pair.get().pair.ping();
    }

    @Override
    public Optional<String> identity() {
        return stores.at(Side.PRIMARY).identity();
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
        pair.close(made -> {
            ran[0] = true;
            made.close();
        });
        if (!ran[0]) {
            stores.close();
        }
    }
}
