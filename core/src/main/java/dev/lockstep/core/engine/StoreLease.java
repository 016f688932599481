package dev.lockstep.core.engine;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.CallSites;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Loss;
import dev.lockstep.core.internal.ApiAccess;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
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
 * A lost store lease stays on its stripe until it has expired in the store, so that its holder has time to stop before another holder is
 * granted the locks. A release that failed is kept in the same way and tried again. The thread that changes the state to GONE is the one that
 * has the store release the locks.
 *
 * The state changes under the lock of the holder's stripe, which is never held while the store or a user's code is called. Only the step from
 * ASKING to STANDING needs no lock: no other thread acts on a store lease before it is granted. State and term may be read without it.
 */
final class StoreLease implements StoreRequest {
    /** The life of a store lease. */
    enum State {
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

    final Holder holder;
    private final LockSettings settings;
    private LockPlan plan;
    private final ResolvedRequest resolved;
    private final long number;

    @Nullable
    StoreLease earlierOfHolder;

    private volatile State state;
    private volatile LeaseTerm term;
    private @Nullable CallSite callSite; // a hint for people, so a race does no harm
    private volatile boolean cancelled;
    private boolean refusedIfBusy;
    private @Nullable LeaseHandle asker;
    private List<LeaseHandle> nested = List.of();
    private @Nullable StoreGrant grant;
    private volatile @Nullable RenewalState renewal;
    private volatile boolean seenAsking;

    /** Under which time the watcher has filed it; used by its thread alone. */
    long filedAt = DueTimes.NEVER;

    private long releaseAt;
    private volatile long releasePause;
    private final List<StoreGrant> outer;

    @SuppressWarnings("NullAway.Init") // state and term are set through their updaters
    StoreLease(LockSettings settings, Holder holder, LockPlan plan, ResolvedRequest resolved) {
        this.settings = settings;
        this.holder = holder;
        this.plan = plan;
        this.resolved = resolved;
        TERM.lazySet(this, resolved.term());
        number = holder.nextLeaseNumber();
        STATE.lazySet(this, State.ASKING);
        outer = holder.holdsNothing() ? List.of() : standingGrants(holder);
        callSite = resolved.site();
    }

    // ---- what the store asks of it

    @Override
    public UUID leaseId() {
        return LeaseIds.of(number);
    }

    @Override
    public String owner() {
        return resolved.owner();
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
        return resolved.waits() && !refusedIfBusy;
    }

    /** Has it refused instead of queued when a lock is not free. Before the store is asked. */
    void dontWait() {
        refusedIfBusy = true;
    }

    @Override
    public Deadline deadline() {
        return Deadline.at(resolved.askedAt() + (waits() ? resolved.waitNanos() : 0), settings.clock());
    }

    @Override
    public Duration term() {
        return term.rule().term();
    }

    @Override
    public void markStart() {
        TERM.lazySet(this, LeaseTerm.startingNow(term.rule(), settings.clock()));
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
        return outer;
    }

    private static List<StoreGrant> standingGrants(Holder holder) {
        return holder.leasesWithParents().stream()
                .filter(StoreLease::stands)
                .map(StoreLease::grant)
                .toList();
    }

    @Override
    public LockClock clock() {
        return settings.clock();
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
        if (settings.callSites() == CallSites.WHEN_CONTENDED) {
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
        state = State.STANDING; // with a full fence: the requesting thread then reads what the watcher and close()
        // write
    }

    StoreGrant grant() {
        return Objects.requireNonNull(grant);
    }

    FencingToken token() {
        StoreGrant given = grant();
        return new FencingToken(given.epoch(), given.token());
    }

    long number() {
        return number;
    }

    List<LockKey> keys() {
        return resolved.request().keys();
    }

    /** When the locks were acquired, in nanoseconds of the clock. */
    long heldFrom() {
        return term.heldFrom();
    }

    /** Whether its locks can be counted on now. */
    boolean stands() {
        return state == State.STANDING && !term.hasExpired(settings.clock());
    }

    /** Whether its term has not passed, released or not. */
    boolean wasHeldUntilNow() {
        return !term.hasExpired(settings.clock());
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

    /** Lets the lease that requested it use it. */
    void enter(LeaseHandle lease) {
        asker = lease;
    }

    /** Lets a lease use it that needs some of its locks too. */
    void enterNested(LeaseHandle lease) {
        if (nested.isEmpty()) {
            nested = new ArrayList<>();
        }
        nested.add(lease);
    }

    /** Counts its locks as shared from now on; returns false, without a change, if a nested lease uses it. */
    boolean share() {
        holder.stripe.lock();
        try {
            if (!nested.isEmpty()) {
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
        if (asker == lease) {
            asker = null;
        } else {
            nested.remove(lease);
        }
        return asker == null && nested.isEmpty() && detach();
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
        releasePause = Math.max(firstPause, Math.min(2 * releasePause, longestPause));
        state = State.LOST;
        releaseAt = now + releasePause;
        holder.stripe.addLost(this);
    }

    boolean isFirstFailureToRelease() {
        return releasePause == 0;
    }

    long releaseAt() {
        return releaseAt;
    }

    /** Ends it as lost, with all leases that use it; returns those that were not lost before. */
    List<LeaseHandle> lose(Loss.Reason reason) {
        state = State.LOST;
        releaseAt = term.storeNanos();
        holder.remove(this);
        holder.stripe.addLost(this);
        RenewalState current = renewal;
        Throwable cause = current == null ? null : current.failure();
        List<LeaseHandle> losers = new ArrayList<>();
        if (asker != null && asker.lose(API.loss(reason, cause))) {
            losers.add(asker);
        }
        for (LeaseHandle lease : nested) {
            if (lease.lose(API.loss(Loss.Reason.OUTER_LOST, cause))) {
                losers.add(lease);
            }
        }
        return losers;
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
        RenewalState current = renewal;
        if ((current != null && current.isUnderWay()) || !term.renews() || now - dueNanos(current) < 0) {
            return false;
        }
        renewal().begin(now);
        return true;
    }

    private RenewalState renewal() {
        RenewalState current = renewal;
        if (current == null) {
            current = new RenewalState();
            renewal = current;
        }
        return current;
    }

    boolean isBeingRenewed() {
        RenewalState current = renewal;
        return current != null && current.isUnderWay() && state == State.STANDING;
    }

    /** Whether a renewal that began no later than this is under way. */
    boolean isRenewedSince(long nanos) {
        RenewalState current = renewal;
        return current != null && current.isUnderWaySince(nanos) && state == State.STANDING;
    }

    boolean isInspectedBefore(long nanos) {
        RenewalState current = renewal;
        return current != null && current.isInspectedBefore(nanos, term);
    }

    boolean isSuspect() {
        RenewalState current = renewal;
        return current != null && current.isSuspect();
    }

    boolean isSlow() {
        RenewalState current = renewal;
        return current != null && current.isSlow();
    }

    /** Its renewal, alone in a call, takes long. Only for one that is being renewed, as is the next method. */
    void suspect() {
        RenewalState current = renewal;
        if (current != null) {
            current.suspect();
        }
    }

    /** The store responded to a renewal of this lease alone. */
    void respondedAlone(boolean late) {
        RenewalState current = renewal;
        if (current != null) {
            current.respondedAlone(late);
        }
    }

    private long dueNanos(@Nullable RenewalState current) {
        return current == null ? term.dueNanos() : current.dueNanos(term);
    }

    /** When the watcher should inspect it next. */
    long inspectAt(long now) {
        if (state == State.LOST) {
            return releaseAt;
        }
        RenewalState current = renewal;
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
        RenewalState current = renewal;
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
        renewal().failed(error, now, term);
    }

    /** The leases that use it; acquires the stripe's lock itself. */
    List<LeaseHandle> standing() {
        holder.stripe.lock();
        try {
            List<LeaseHandle> all = new ArrayList<>(nested);
            if (asker != null) {
                all.add(asker);
            }
            return all;
        } finally {
            holder.stripe.unlock();
        }
    }
}
