package dev.lockstep.core.engine;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.CallSites;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Loss;
import dev.lockstep.core.internal.ApiAccess;
import dev.lockstep.core.internal.RequestOptions;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/*
 * What the store keeps for a holder
 * ---------------------------------
 * A store lease is one request to the store and its outcome. A caller's lease is a handle that uses the store lease it requested, and a
 * nested one also the outer store leases that cover part of what it needs. The store releases the locks when no handle uses them any more.
 * When a store lease is lost, so is every handle that uses it.
 *
 * The handle extends the store lease that it requests, so that both are one object: most requests are granted at once and released soon, and the
 * objects that each creates are most of what it costs. For the same reason, what few leases need is in objects that are created when needed.
 *
 * A lost store lease stays on its stripe until it has expired in the store, so that its holder has time to stop before another holder is
 * granted the locks. A release that failed is kept in the same way and tried again. The thread that changes the state to GONE is the one that
 * has the store release the locks.
 *
 * The state changes under the lock of the holder's stripe, which is never held while the store or a user's code is called. Only the step from
 * ASKING to STANDING needs no lock: no other thread acts on a store lease before it is granted. State and term may be read without it.
 */
class StoreLease implements StoreRequest {
    /** The life of a store lease. */
    enum State {
        /** Outer leases cover all of it, so that nothing is requested. */
        COVERED,
        ASKING,
        STANDING,
        LOST,
        GONE
    }

    private static final ApiAccess API = ApiAccess.get();

    // Mostly written with lazySet: readers without the stripe's lock must see what came before, and seldom need a full
    // fence.
    private static final AtomicReferenceFieldUpdater<StoreLease, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(StoreLease.class, State.class, "state");
    private static final AtomicReferenceFieldUpdater<StoreLease, LeaseTerm> TERM =
            AtomicReferenceFieldUpdater.newUpdater(StoreLease.class, LeaseTerm.class, "term");
    private static final AtomicReferenceFieldUpdater<StoreLease, WatchState> WATCH_STATE =
            AtomicReferenceFieldUpdater.newUpdater(StoreLease.class, WatchState.class, "watchState");

    private static final VarHandle CLOSED = closedHandle();

    final Holder holder;
    private final LockRequest request;
    private final String owner;
    private final long waitNanos;
    private final long askedAt;
    private LockPlan plan;
    private long number;

    @Nullable
    StoreLease earlierOfHolder;

    private volatile State state;
    private volatile LeaseTerm term;
    private @Nullable CallSite callSite; // a hint for people, so a race does no harm
    private volatile boolean cancelled;
    private boolean refusedIfBusy;
    private volatile boolean closed;
    private volatile boolean seenAsking;
    private @Nullable StoreGrant grant;
    private @Nullable Nesting nesting;
    private volatile @Nullable WatchState watchState;

    /** A request with the defaults filled in; {@code waitUnlessGiven} is how long it waits if it doesn't say. */
    @SuppressWarnings("NullAway.Init") // state and term are set through their updaters
    StoreLease(Holder holder, LockRequest request, Duration waitUnlessGiven) {
        LockSettings settings = holder.settings;
        RequestOptions options = API.options(request);
        LeaseTerm start = LeaseTerm.startingNow(settings.termOf(options), settings.clock());
        Duration wait = options.longestWait();
        this.holder = holder;
        this.request = request;
        plan = LockPlan.of(request);
        owner = settings.ownerOf(options);
        waitNanos = (wait == null ? waitUnlessGiven : wait).toNanos();
        askedAt = start.fromNanos();
        callSite = settings.callSite();
        TERM.lazySet(this, start);
        STATE.lazySet(this, State.ASKING);
    }

    private static VarHandle closedHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(StoreLease.class, "closed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // ---- before the store is asked, under the stripe's lock

    /** Enters it at its holder, which holds nothing. */
    void enter() {
        number = holder.nextLeaseNumber();
        holder.add(this);
    }

    /** Enters it at its holder, to request the rest of its plan; the other leases cover what is left out. */
    void enter(LockPlan rest, List<StoreLease> covering) {
        plan = rest;
        number = holder.nextLeaseNumber();
        nesting = Nesting.inside(holder, covering);
        if (rest.isEmpty()) {
            state = State.COVERED;
        } else {
            holder.add(this);
        }
    }

    // ---- what the store asks of it

    @Override
    public UUID leaseId() {
        return LeaseIds.of(number);
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public long holder() {
        return holder.id;
    }

    @Override
    public LockPlan plan() {
        return plan;
    }

    @Override
    public boolean waits() {
        return waitNanos > 0 && !refusedIfBusy;
    }

    /** Has it refused instead of queued when a lock is not free. Before the store is asked. */
    void dontWait() {
        refusedIfBusy = true;
    }

    @Override
    public Deadline deadline() {
        return Deadline.at(askedAt + (waits() ? waitNanos : 0), clock());
    }

    @Override
    public Duration term() {
        return term.rule().term();
    }

    @Override
    public void markStart() {
        TERM.lazySet(this, LeaseTerm.startingNow(term.rule(), clock()));
    }

    @Override
    public void markStart(long nanos, long millis) {
        TERM.lazySet(this, LeaseTerm.startingAt(term.rule(), nanos, millis));
    }

    @Override
    public long startNanos() {
        return term.fromNanos();
    }

    @Override
    public List<StoreGrant> outer() {
        return nesting == null ? List.of() : nesting.grantsAtRequest();
    }

    @Override
    public LockClock clock() {
        return holder.settings.clock();
    }

    @Override
    public boolean isOver() {
        return !isAsking() && !stands();
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    void cancel() {
        cancelled = true;
    }

    @Override
    public void contended() {
        if (holder.settings.callSites() == CallSites.WHEN_CONTENDED) {
            callSite = CallSiteFinder.here().orElse(null);
        }
    }

    @Override
    public Optional<CallSite> callSite() {
        return Optional.ofNullable(callSite);
    }

    // ---- what became of it

    void granted(StoreGrant given) {
        grant = given;
        // With a full fence: the requesting thread then reads what the watcher and close() write.
        state = State.STANDING;
    }

    StoreGrant grant() {
        return Objects.requireNonNull(grant);
    }

    FencingToken ownToken() {
        StoreGrant given = grant();
        return new FencingToken(given.epoch(), given.token());
    }

    long number() {
        return number;
    }

    LockRequest request() {
        return request;
    }

    long waitNanos() {
        return waitNanos;
    }

    /** The term that was asked for. */
    Duration askedTerm() {
        return term.rule().term();
    }

    /** When the request was made, in nanoseconds of the clock. */
    long askedAt() {
        return askedAt;
    }

    /** Whether it requested anything from the store: not if outer leases cover all of it. */
    boolean isRequested() {
        return state != State.COVERED;
    }

    /** The outer store leases that cover part of what it needs. */
    List<StoreLease> covering() {
        return nesting == null ? List.of() : nesting.covering();
    }

    /** When the locks were acquired, in nanoseconds of the clock. */
    long heldFrom() {
        return isRequested() ? term.heldFrom() : askedAt;
    }

    /** Whether its locks can be counted on now. */
    boolean stands() {
        return state == State.STANDING && !term.hasExpired(clock());
    }

    /** Whether its term has not passed, released or not. */
    boolean wasHeldUntilNow() {
        return !term.hasExpired(clock());
    }

    boolean isAsking() {
        return state == State.ASKING;
    }

    boolean isStanding() {
        return state == State.STANDING;
    }

    boolean isLost() {
        return state == State.LOST;
    }

    /** Whether the lease that requested it was closed; may be read without the lock. */
    boolean isClosed() {
        return closed;
    }

    void markClosed() {
        CLOSED.setRelease(this, true); // as the state
    }

    /** The lease that requested it. */
    @Nullable
    LeaseHandle handle() {
        return null;
    }

    /** Lets a lease use it that needs some of its locks too. */
    void enterNested(LeaseHandle lease) {
        if (nesting == null) {
            nesting = Nesting.outermost();
        }
        nesting.add(lease);
    }

    private boolean hasNested() {
        return nesting != null && !nesting.nested().isEmpty();
    }

    /** Counts its locks as shared from now on; returns false, without a change, if a nested lease uses it. */
    boolean share() {
        holder.stripe.lock();
        try {
            if (hasNested()) {
                return false;
            }
            plan = plan.shared();
            return true;
        } finally {
            holder.stripe.unlock();
        }
    }

    /** True if no lease uses it any more, so that it is now GONE and the caller must have the store release it. */
    boolean leave(LeaseHandle lease) {
        if (lease != this && nesting != null) {
            nesting.remove(lease);
        }
        return closed && !hasNested() && detach();
    }

    /** Has a lease leave those that cover part of it; {@link #coveringToRelease} then has those that no lease uses any more. */
    void leaveCovering(LeaseHandle lease) {
        if (nesting != null) {
            nesting.leaveCovering(lease);
        }
    }

    List<StoreLease> coveringToRelease() {
        return nesting == null ? List.of() : nesting.toRelease();
    }

    /** Removes it from the table. True if the store still knows it and the caller must have the store release it. */
    boolean detach() {
        State before = state;
        if (before == State.GONE) {
            return false;
        }
        STATE.lazySet(this, State.GONE);
        if (before == State.LOST) {
            holder.stripe.removeLost(this);
        } else {
            holder.remove(this);
        }
        if (before == State.ASKING) {
            return false;
        }
        holder.stripe.releaseBegun();
        return true;
    }

    /** Puts it back on the stripe, to be released again after a pause, which doubles with each failure. */
    void releaseAgain(long now, long firstPause, long longestPause) {
        watchState().releaseAgain(now, firstPause, longestPause);
        state = State.LOST;
        holder.stripe.addLost(this);
    }

    boolean isFirstFailureToRelease() {
        WatchState current = watchState;
        return current == null || current.isFirstFailureToRelease();
    }

    long releaseAt() {
        return watchState().releaseAt();
    }

    /** Ends it as lost, with all leases that use it; returns those that were not lost before. */
    List<LeaseHandle> lose(Loss.Reason reason) {
        WatchState current = watchState();
        current.releaseFrom(term.storeNanos());
        state = State.LOST;
        holder.remove(this);
        holder.stripe.addLost(this);
        Throwable cause = current.failure();
        List<LeaseHandle> losers = new ArrayList<>();
        LeaseHandle own = handle();
        if (own != null && own.lose(API.loss(reason, cause))) {
            losers.add(own);
        }
        for (LeaseHandle lease : nestedLeases()) {
            if (lease.lose(API.loss(Loss.Reason.OUTER_LOST, cause))) {
                losers.add(lease);
            }
        }
        return losers;
    }

    private List<LeaseHandle> nestedLeases() {
        return nesting == null ? List.of() : nesting.nested();
    }

    Loss.Reason reasonOfEnd() {
        if (term.isCapped()) {
            return Loss.Reason.HELD_TOO_LONG;
        }
        return term.rule().renews() ? Loss.Reason.UNCONFIRMED : Loss.Reason.EXPIRED;
    }

    // ---- renewal

    /** Whether a renewal should begin now; if so, it counts as begun. */
    boolean beginRenewal(long now) {
        WatchState current = watchState;
        if ((current != null && current.isUnderWay()) || !term.renews() || now - dueNanos(current) < 0) {
            return false;
        }
        watchState().begin(now);
        return true;
    }

    /** Created by the first that needs it, with or without the stripe's lock. */
    private WatchState watchState() {
        WatchState current = watchState;
        if (current == null) {
            WATCH_STATE.compareAndSet(this, null, new WatchState());
            current = Objects.requireNonNull(watchState);
        }
        return current;
    }

    /** Under which time the watcher has filed it; used by its thread alone. */
    long filedAt() {
        WatchState current = watchState;
        return current == null ? DueTimes.NEVER : current.filedAt;
    }

    void file(long time) {
        watchState().filedAt = time;
    }

    boolean isBeingRenewed() {
        WatchState current = watchState;
        return current != null && current.isUnderWay() && state == State.STANDING;
    }

    /** Whether a renewal that began no later than this is under way. */
    boolean isRenewedSince(long nanos) {
        WatchState current = watchState;
        return current != null && current.isUnderWaySince(nanos) && state == State.STANDING;
    }

    boolean isInspectedBefore(long nanos) {
        WatchState current = watchState;
        return current != null && current.isInspectedBefore(nanos, term);
    }

    boolean isSuspect() {
        WatchState current = watchState;
        return current != null && current.isSuspect();
    }

    boolean isSlow() {
        WatchState current = watchState;
        return current != null && current.isSlow();
    }

    /** Its renewal, alone in a call, takes long. Only for one that is being renewed, as is the next method. */
    void suspect() {
        WatchState current = watchState;
        if (current != null) {
            current.suspect();
        }
    }

    /** The store responded to a renewal of this lease alone. */
    void respondedAlone(boolean late) {
        WatchState current = watchState;
        if (current != null) {
            current.respondedAlone(late);
        }
    }

    private long dueNanos(@Nullable WatchState current) {
        return current == null ? term.dueNanos() : current.dueNanos(term);
    }

    /** When the watcher should inspect it next. */
    long inspectAt(long now) {
        if (state == State.LOST) {
            return releaseAt();
        }
        WatchState current = watchState;
        return current == null ? term.dueNanos() : current.inspectAt(now, term);
    }

    /** Marks that the watcher has seen it before it was granted; the thread that is granted it then hands it to the watcher. */
    boolean isSeenAsking() {
        seenAsking = true;
        return isAsking(); // read again: it may have been granted meanwhile, by a thread that didn't see the mark
    }

    boolean wasSeenAsking() {
        return seenAsking;
    }

    /** How long a renewal that is confirmed now comes after it was first due; zero when it comes before. */
    Duration lag(long now) {
        return Duration.ofNanos(Math.max(0, now - term.dueAboutNanos()));
    }

    LeaseTerm leaseTerm() {
        return term;
    }

    Renewal renewalFor(long wanted, long now) {
        return new Renewal(grant(), Duration.ofNanos(term.toAskFor(wanted, now)));
    }

    void renewed(long fromNanos, long fromMillis, Renewal confirmed) {
        WatchState current = watchState;
        if (current != null) {
            current.confirmed();
        }
        LeaseTerm extended =
                term.extended(fromNanos, fromMillis, confirmed.term().toNanos());
        if (extended.safeNanos() - term.safeNanos() > 0) { // responses may arrive in another order than requests
            TERM.lazySet(this, extended);
        }
    }

    // ---- the stripe's lock

    void underLock(Runnable action) {
        holder.stripe.lock();
        try {
            action.run();
        } finally {
            holder.stripe.unlock();
        }
    }

    void renewalFailed(Throwable error, long now) {
        watchState().failed(error, now, term);
    }

    /** The leases that use it; acquires the stripe's lock itself. */
    List<LeaseHandle> standing() {
        holder.stripe.lock();
        try {
            List<LeaseHandle> all = new ArrayList<>(nestedLeases());
            LeaseHandle own = handle();
            if (own != null && !closed) {
                all.add(own);
            }
            return all;
        } finally {
            holder.stripe.unlock();
        }
    }
}
