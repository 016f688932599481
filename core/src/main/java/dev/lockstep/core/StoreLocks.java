package dev.lockstep.core;

import dev.lockstep.core.OrderGuard.Admission;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The one implementation of {@link Locks}: checks, plans and guards a request, asks the store, and hands out the lease. */
final class StoreLocks implements Locks {
    private final LockStore store;
    private final boolean closesStore;
    private final boolean endsTerms;
    private final LockSettings settings;
    private final DeclaredKinds kinds;
    private final Threads threads = new Threads();
    private final LeaseBook book = new LeaseBook();
    private final Holders holders = new Holders(book);
    private final Reporter reporter;
    private final LeaseKeeper keeper;
    private final Subscription storeEvents;
    private volatile boolean closed;

    StoreLocks(LocksBuilder options) {
        store = options.store;
        closesStore = options.closesStore;
        endsTerms = options.endsTerms;
        settings = options.settings();
        kinds = new DeclaredKinds(store);
        kinds.declare(options.kinds);
        reporter = new Reporter(settings.clock(), store.name());
        options.listeners.forEach(reporter::subscribe);
        storeEvents = store.subscribe(reporter::tell);
        keeper = new LeaseKeeper(store, settings.clock(), book, threads, reporter);
    }

    // ---- the verbs

    @Override
    public Lease acquire(LockRequest request) {
        HeldLease lease = admit(request, holders.current(), settings.longestWait());
        StoreBusy busy = settle(lease, ask(lease));
        if (busy != null) {
            throw timeout(lease, busy);
        }
        return lease;
    }

    @Override
    public Attempt tryAcquire(LockRequest request) {
        HeldLease lease = admit(request, holders.current(), Duration.ZERO);
        StoreBusy busy = settle(lease, ask(lease));
        return busy == null ? new Granted(lease) : toBusy(busy);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        if (request.interruptsOnLoss()) {
            throw new InvalidRequestException(
                    "An asynchronous lease has no thread to interrupt. Leave interruptOnLoss() out and attach to lease.lost().");
        }
        HeldLease lease = admit(request, holders.fresh(), settings.longestWait());
        Grip own = lease.own();
        if (own == null) { // a fresh holder has nothing that could cover the request
            throw new IllegalStateException("Nothing to take for " + request);
        }
        CompletableFuture<StoreAnswer> asked;
        try {
            asked = store.acquireAsync(own, threads.blocking());
        } catch (RuntimeException | Error e) {
            drop(lease, e);
            throw e;
        }
        AsyncLease future = new AsyncLease(asked);
        // A future that nobody has seen yet runs nobody's code: what is answered at once needs no other thread.
        Executor completer = asked.isDone() ? Runnable::run : threads.callbacks();
        CompletableFuture<?> unused =
                asked.whenComplete((answer, error) -> settleAsync(lease, future, completer, answer, error));
        return future;
    }

    @Override
    public <X extends Exception> void run(LockRequest request, LeaseTask<X> task) throws X {
        this.<Boolean, X>call(request, lease -> {
            task.run(lease);
            return true;
        });
    }

    @Override
    public <T, X extends Exception> T call(LockRequest request, LeaseFunction<T, X> task) throws X {
        HeldLease lease = (HeldLease) acquire(request);
        T result;
        try {
            result = task.call(lease);
        } catch (Throwable e) {
            if (lease.release() == ReleaseOutcome.LOST) {
                e.addSuppressed(lease.lostException());
            }
            throw e;
        }
        if (lease.release() == ReleaseOutcome.LOST) {
            throw lease.lostException();
        }
        return result;
    }

    // ---- before the store is asked

    private HeldLease admit(LockRequest request, Holder holder, Duration waitUnlessGiven) {
        requireOpen();
        settings.limits().check(request);
        kinds.check(request);
        LockPlan plan = LockPlan.of(request);
        Ask ask = settings.ask(request, waitUnlessGiven);
        OrderViolation violation;
        HeldLease lease = null;
        holder.page.lock();
        try {
            Admission admission = OrderGuard.admit(holder, plan, ask);
            violation = settings.orderPolicy() == OrderPolicy.OFF ? null : admission.violation();
            if (violation == null || settings.orderPolicy() == OrderPolicy.WARN) {
                lease = enter(holder, ask, admission);
            }
        } finally {
            holder.page.unlock();
        }
        if (violation != null) {
            violation = violation.askedHere();
            reporter.violated(violation, settings.orderPolicy());
        }
        if (lease == null) {
            throw new OrderViolationException(Objects.requireNonNull(violation));
        }
        return lease;
    }

    private HeldLease enter(Holder holder, Ask ask, Admission admission) {
        if (admission.rest().isEmpty()) {
            return new HeldLease(this, holder, ask, null, admission.outer());
        }
        Grip own = new Grip(settings, holder, admission.rest(), ask);
        holder.add(own);
        return new HeldLease(this, holder, ask, own, admission.outer());
    }

    // ---- the store's answer

    private @Nullable StoreAnswer ask(HeldLease lease) {
        Grip own = lease.own();
        if (own == null) {
            return null;
        }
        try {
            return store.acquire(own);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw drop(lease, interrupted(lease, e));
        } catch (RuntimeException | Error e) {
            drop(lease, e);
            throw e;
        }
    }

    /** Makes a lease of a grant; answers what was in the way when there was none. */
    private @Nullable StoreBusy settle(HeldLease lease, @Nullable StoreAnswer answer) {
        Grip own = lease.own();
        if (answer instanceof StoreGrant grant && own != null) {
            own.granted(grant);
            keeper.keep(own);
        } else if (answer instanceof StoreDeadlock deadlock) {
            reporter.deadlocked(lease, deadlock.report());
            DeadlockException failure = drop(lease, new DeadlockException(deadlock.report(), lease.keys()));
            keeper.confirm(lease.holder()); // a database may have ended the outer leases with it
            throw failure;
        } else if (answer instanceof StoreBusy busy) {
            leave(lease);
            reporter.timedOut(lease, toBusy(busy));
            requireOpen();
            return busy;
        }
        if (closed) {
            leave(lease);
            requireOpen();
        }
        if (lease.loss() != null) { // an outer lease was lost while the store was asked
            throw drop(lease, lease.lostException());
        }
        reporter.acquired(lease);
        return null;
    }

    private void settleAsync(
            HeldLease lease,
            AsyncLease future,
            Executor completer,
            @Nullable StoreAnswer answer,
            @Nullable Throwable error) {
        try {
            if (error != null) {
                throw drop(lease, error instanceof InterruptedException e ? interrupted(lease, e) : error);
            }
            StoreBusy busy = settle(lease, answer);
            if (busy != null) {
                throw timeout(lease, busy);
            }
            completer.execute(() -> {
                if (!future.complete(lease)) {
                    lease.release();
                }
            });
        } catch (Throwable e) {
            completer.execute(() -> future.completeExceptionally(e));
        }
    }

    private static LockException interrupted(HeldLease lease, InterruptedException cause) {
        String message = "Interrupted while waiting for " + lease.keys() + ". Nothing of the request is held.";
        return new LockException(ErrorCode.INTERRUPTED, message, lease.keys(), cause);
    }

    private <E extends Throwable> E drop(HeldLease lease, E error) {
        leave(lease);
        reporter.failed(lease, error);
        return error;
    }

    private static Busy toBusy(StoreBusy busy) {
        return new Busy(busy.waitedFor().key(), busy.waitedFor().mode(), busy.blockers());
    }

    private LockTimeoutException timeout(HeldLease lease, StoreBusy busy) {
        Duration waited =
                Duration.ofNanos(settings.clock().nanos() - lease.ask().askedAt());
        return new LockTimeoutException(toBusy(busy), lease.keys(), waited);
    }

    // ---- the end

    ReleaseOutcome release(HeldLease lease) {
        List<Grip> left = lease.closeOnce();
        if (left == null) {
            return lease.outcome();
        }
        boolean held = true;
        for (Grip grip : left) {
            held &= keeper.release(grip) || !lease.isOwn(grip);
        }
        ReleaseOutcome outcome = lease.end(held);
        reporter.released(lease, outcome);
        return outcome;
    }

    /** Ends a lease that was never handed out. */
    private void leave(HeldLease lease) {
        List<Grip> left = lease.closeOnce();
        if (left != null) {
            left.forEach(keeper::release);
        }
        lease.disarm();
    }

    @Override
    public LockSnapshot snapshot() {
        return store.snapshot();
    }

    @Override
    public String storeName() {
        return store.name();
    }

    @Override
    public LockFigures figures() {
        return book.figures();
    }

    @Override
    public Subscription subscribe(LockListener listener) {
        requireOpen();
        return reporter.subscribe(listener);
    }

    private void requireOpen() {
        if (closed) {
            throw new LockException(
                    ErrorCode.CLOSED, "These locks are closed. Make new ones with Locks.on(store).", List.of(), null);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (Grip grip : book.grips()) {
            if (grip.isAsking()) {
                grip.cancel();
                store.cancel(grip);
            } else {
                grip.standing().stream().filter(this::endsWithThis).forEach(HeldLease::release);
            }
        }
        if (closesStore) {
            store.close();
        }
        storeEvents.close();
        keeper.close();
        threads.close();
        reporter.close();
    }

    private boolean endsWithThis(HeldLease lease) {
        return !lease.isAsking() && (endsTerms || lease.ask().term().rule().renews());
    }

    // ---- for the leases

    LeaseKeeper keeper() {
        return keeper;
    }

    Holders holders() {
        return holders;
    }
}
