package dev.lockstep.core.engine;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockFigures;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ObservedOrder;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.OrderViolation;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.engine.OrderGuard.Admission;
import dev.lockstep.core.internal.ApiAccess;
import dev.lockstep.core.internal.Durations;
import dev.lockstep.core.permits.Permits;
import dev.lockstep.core.slots.SlotPermits;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The one implementation of {@link Locks}. Each request takes five steps: it is checked, planned and guarded, the store is asked, and the lease is
 * handed out.
 */
public final class StoreLocks implements Locks {
    private static final ApiAccess API = ApiAccess.get();

    private final LockStore store;
    private final LockSettings settings;
    private final LimitCheck limits;
    private final DeclaredKinds kinds;
    private final Threads threads = new Threads();
    private final HolderTable holderTable;
    private final Holders holders;
    private final OrderRecorder observed = new OrderRecorder();
    private final Reporter reporter;
    private final Renewer renewer;
    private final Releaser releaser;
    private final LeaseWatcher watcher;
    private final Shutdown shutdown;
    private final Subscription storeEvents;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    /** Locks on a store; declares the kinds, and sends events to the listeners. */
    public StoreLocks(LockStore store, LockSettings settings, List<LockKind> kinds, List<LockListener> listeners) {
        this.store = store;
        this.settings = settings;
        limits = new LimitCheck(settings.limits());
        holderTable = new HolderTable(settings);
        holders = new Holders(holderTable);
        this.kinds = new DeclaredKinds(store);
        this.kinds.declare(kinds);
        reporter = new Reporter(settings.clock(), store.name(), threads.log());
        listeners.forEach(reporter::subscribe);
        storeEvents = store.subscribe(reporter::publish);
        LossSignals losses = new LossSignals(threads.losses(), reporter);
        renewer = new Renewer(store, settings.clock(), threads, losses, reporter);
        releaser = new Releaser(store, settings.clock(), threads, reporter);
        watcher = new LeaseWatcher(settings.clock(), holderTable, losses, renewer, releaser, reporter);
        shutdown = new Shutdown(store, settings.clock(), holderTable, losses, watcher, settings.endsTerms());
    }

    // ---- the verbs

    @Override
    public Lease acquire(LockRequest request) {
        return acquire(request, holders.current());
    }

    LeaseHandle acquire(LockRequest request, Holder holder) {
        LeaseHandle lease = prepare(request, holder, settings.longestWait());
        StoreBusy busy = handOut(lease, ask(lease));
        if (busy != null) {
            throw timeout(lease, busy);
        }
        return lease;
    }

    @Override
    public Attempt tryAcquire(LockRequest request) {
        return tryAcquire(request, holders.current());
    }

    Attempt tryAcquire(LockRequest request, Holder holder) {
        LeaseHandle lease = prepare(request, holder, Duration.ZERO);
        StoreBusy busy = handOut(lease, ask(lease));
        return busy == null ? new Granted(lease) : toBusy(busy);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return acquireAsync(request, holders.detached());
    }

    CompletableFuture<Lease> acquireAsync(LockRequest request, Holder holder) {
        if (API.options(request).interruptOnLoss()) {
            throw new InvalidRequestException(
                    "An asynchronous lease has no thread to interrupt. Leave interruptOnLoss() out and attach to lease.lost().");
        }
        LeaseHandle lease = prepare(request, holder, settings.longestWait());
        StoreLease own = lease.own();
        if (own == null) { // the parent's locks cover it
            handOut(lease, null);
            return CompletableFuture.completedFuture(lease);
        }
        leaveIfClosed(lease);
        CompletableFuture<StoreAnswer> asked;
        try {
            asked = store.acquireAsync(own, threads.blocking());
        } catch (RuntimeException | Error e) {
            drop(lease, e);
            throw e;
        }
        AsyncLease future = new AsyncLease(asked);
        // No code is attached to a future that was not returned yet: an immediate response needs no other thread.
        Executor completer = asked.isDone() ? Runnable::run : threads.callbacks();
        CompletableFuture<?> unused =
                asked.whenComplete((answer, error) -> handOutAsync(lease, future, completer, answer, error));
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
        LeaseHandle lease = acquire(request, holders.current());
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

    /** The first three steps. */
    private LeaseHandle prepare(LockRequest request, Holder asker, Duration waitUnlessGiven) {
        check(request);
        LeaseHandle lease = new LeaseHandle(this, holders.usable(asker), request, waitUnlessGiven); // which plans it
        guard(lease);
        return lease;
    }

    private void check(LockRequest request) {
        requireOpen();
        watcher.ensureStarted();
        limits.check(request);
        kinds.check(request);
    }

    /** Leaves out what the holder has already, and refuses what violates the lock order. */
    private void guard(LeaseHandle lease) {
        Holder holder = lease.holder;
        OrderViolation violation;
        boolean refused;
        Admission admission;
        holder.stripe.lock();
        try {
            holder.requireParentHeld(); // and not closed by another thread meanwhile
            if (holder.holdsNothing()) {
                lease.enter();
                return;
            }
            admission = OrderGuard.admit(lease);
            violation = settings.orderPolicy() == OrderPolicy.OFF ? null : admission.violation();
            refused = violation != null && settings.orderPolicy() != OrderPolicy.WARN;
            if (!refused) {
                lease.enter(admission.rest(), admission.outer());
            }
        } finally {
            holder.stripe.unlock();
        }
        if (violation != null) {
            violation = OrderGuard.askedHere(violation);
            reporter.violated(violation, settings.orderPolicy());
        }
        if (refused) {
            throw new OrderViolationException(Objects.requireNonNull(violation));
        }
        try {
            observed.nested(admission.rest(), admission.held());
        } catch (RuntimeException | Error e) {
            drop(lease, e);
            throw e;
        }
    }

    // ---- the store's response

    /** Asks the store. A thread that is interrupted already is granted what is free, and waits for nothing. */
    private @Nullable StoreAnswer ask(LeaseHandle lease) {
        StoreLease own = lease.own();
        if (own == null) {
            return null;
        }
        leaveIfClosed(lease);
        boolean interrupted = Thread.interrupted();
        try {
            if (API.options(lease.request()).uninterruptible()) {
                return UninterruptibleWait.on(store.acquireAsync(own, threads.blocking()));
            }
            if (interrupted) {
                own.dontWait();
            }
            StoreAnswer answer = store.acquire(own);
            if (interrupted && lease.waitNanos() > 0 && answer instanceof StoreBusy) {
                throw new InterruptedException("Interrupted before it waited");
            }
            return answer;
        } catch (InterruptedException e) {
            interrupted = true;
            throw drop(lease, interrupted(lease, e));
        } catch (RuntimeException | Error e) {
            drop(lease, e);
            throw e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Asked before and after the store: a close() in between sees the request, and ends it. */
    private void leaveIfClosed(LeaseHandle lease) {
        if (closed) {
            throw drop(lease, closedError());
        }
    }

    /** Makes the lease usable if the store granted it; returns what was in the way if it did not. */
    private @Nullable StoreBusy handOut(LeaseHandle lease, @Nullable StoreAnswer answer) {
        StoreLease own = lease.own();
        if (answer instanceof StoreGrant grant && own != null) {
            own.granted(grant);
            watcher.watch(own);
        } else if (answer instanceof StoreDeadlock deadlock) {
            reporter.deadlocked(lease, deadlock.report());
            DeadlockException failure = drop(lease, new DeadlockException(deadlock.report(), lease.keys()));
            renewer.confirm(lease.holder); // a database may have ended the outer leases with it
            throw failure;
        } else if (answer instanceof StoreBusy busy) {
            leaveIfClosed(lease);
            leave(lease);
            reporter.busy(lease, toBusy(busy));
            return busy;
        }
        leaveIfClosed(lease);
        if (lease.loss() != null) { // an outer lease was lost while the store was asked
            throw drop(lease, lease.lostException());
        }
        LeaseLostException parentEnded = lease.holder.parentEnded();
        if (parentEnded != null) {
            throw drop(lease, parentEnded);
        }
        reporter.acquired(lease);
        return null;
    }

    private void handOutAsync(
            LeaseHandle lease,
            AsyncLease future,
            Executor completer,
            @Nullable StoreAnswer answer,
            @Nullable Throwable error) {
        try {
            if (error != null) {
                throw drop(lease, error instanceof InterruptedException e ? interrupted(lease, e) : error);
            }
            StoreBusy busy = handOut(lease, answer);
            if (busy != null) {
                throw timeout(lease, busy);
            }
            completer.execute(() -> {
                if (!future.complete(lease)) {
                    lease.release();
                }
            });
        } catch (Throwable e) {
            leave(lease); // it may have been granted before no thread could be started to complete the future
            completeExceptionally(future, completer, e);
        }
    }

    private static void completeExceptionally(AsyncLease future, Executor completer, Throwable error) {
        try {
            completer.execute(() -> future.completeExceptionally(error));
        } catch (RuntimeException | Error noThread) {
            future.completeExceptionally(error);
        }
    }

    private static LockException interrupted(LeaseHandle lease, InterruptedException cause) {
        String message = "Interrupted while waiting for " + lease.keys() + ". Nothing of the request is held.";
        return new LockException(ErrorCode.INTERRUPTED, message, lease.keys(), cause);
    }

    private <E extends Throwable> E drop(LeaseHandle lease, E error) {
        leave(lease);
        reporter.failed(lease, error);
        return error;
    }

    private static Busy toBusy(StoreBusy busy) {
        return new Busy(busy.waitedFor().key(), busy.waitedFor().mode(), busy.blockers());
    }

    private LockTimeoutException timeout(LeaseHandle lease, StoreBusy busy) {
        Duration waited = Duration.ofNanos(settings.clock().nanos() - lease.askedAt());
        return new LockTimeoutException(toBusy(busy), lease.keys(), waited);
    }

    // ---- while it is held

    /**
     * Changes the plan first, so that the lease covers no further exclusive lock while the store is asked. The plan never changes back, so two calls at
     * a time do no harm.
     */
    LockMode downgrade(LeaseHandle lease) {
        if (lease.isSharedByRequest()) {
            return LockMode.SHARED;
        }
        StoreLease own = lease.own();
        if (own == null || lease.hasOuter() || !store.canDowngrade() || !own.share()) {
            return LockMode.EXCLUSIVE;
        }
        store.downgrade(own.grant());
        return LockMode.SHARED;
    }

    // ---- the end

    ReleaseOutcome release(LeaseHandle lease) {
        if (!lease.closeOnce()) {
            return lease.outcome();
        }
        ReleaseOutcome expected = lease.outcomeByClock();
        // Before the store lets the next holder in, so that listeners see them in that order.
        reporter.released(lease, expected);
        boolean held = lease.releaseWith(releaser);
        if (!held && expected == ReleaseOutcome.RELEASED) {
            reporter.lostAtRelease(lease);
        }
        return lease.end(held && expected == ReleaseOutcome.RELEASED);
    }

    /** Ends a lease that was never handed out. */
    private void leave(LeaseHandle lease) {
        if (lease.closeOnce()) {
            lease.releaseWith(releaser);
        }
        lease.disarm();
    }

    @Override
    public Permits permits(LockKey key, int count) {
        check(LockRequest.exclusive(key));
        return SlotPermits.declare(key, count, new DetachedLocks(this, holderTable, store, settings));
    }

    @Override
    public LockClock clock() {
        return settings.clock();
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
    public ObservedOrder observedOrder() {
        return observed.observed();
    }

    @Override
    public LockFigures figures() {
        return holderTable.figures();
    }

    @Override
    public Subscription subscribe(LockListener listener) {
        requireOpen();
        return reporter.subscribe(listener);
    }

    private static LockException closedError() {
        return new LockException(
                ErrorCode.CLOSED,
                "These Locks are closed; nothing was acquired. Create new ones with Locks.on(store).",
                List.of(),
                null);
    }

    private void requireOpen() {
        if (closed) {
            throw closedError();
        }
    }

    @Override
    public void close(Duration drain) {
        Duration longest = Durations.atMostLongest("The time to drain", drain);
        if (closing.getAndSet(true)) {
            return;
        }
        closed = true;
        shutdown.run(longest);
        watcher.closeWhen(shutdown::isComplete, this::closeRest);
    }

    private void closeRest() {
        try {
            if (settings.closesStore()) {
                store.close();
            }
        } finally {
            storeEvents.close();
            reporter.close();
            threads.close();
        }
    }

    // ---- for the leases

    Renewer renewer() {
        return renewer;
    }

    Holders holders() {
        return holders;
    }
}
