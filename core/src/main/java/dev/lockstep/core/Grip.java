package dev.lockstep.core;

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
 * A grip is one request to the store and what came of it. Leases are handles that stand on grips: each on the one it asked
 * for, and a nested one also on the outer grips that cover part of what it needs. The store is told to release when the last
 * lease has left. When a grip is lost, so is every lease on it.
 *
 * A lost grip stays on its page until the store's own term is over, so that its holder has time to stop before the locks go to
 * someone else; a release that failed is kept in the same way and tried again. Whoever turns a grip to GONE is the one who tells
 * the store.
 *
 * State changes under the lock of the holder's page, which is never held while the store or a user's code is called. Only the
 * step from ASKING to STANDING needs no lock: nobody else acts on a grip that is being asked for. State and term may be read
 * without it.
 */
final class Grip implements StoreRequest {
    /** Where a grip has come to. */
    enum State {
        ASKING,
        STANDING,
        LOST,
        GONE
    }

    // Mostly written with lazySet: readers without the page's lock must see what came before, and seldom need a full
    // fence.
    private static final AtomicReferenceFieldUpdater<Grip, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Grip.class, State.class, "state");
    private static final AtomicReferenceFieldUpdater<Grip, LeaseTerm> TERM =
            AtomicReferenceFieldUpdater.newUpdater(Grip.class, LeaseTerm.class, "term");

    private static final int RETRIES_PER_TERM = 10;

    final Holder holder;
    private final LockSettings settings;
    private final LockPlan plan;
    private final Ask ask;
    private final long number;

    @Nullable
    Grip earlierOfHolder;

    private volatile State state;
    private volatile LeaseTerm term;
    private @Nullable CallSite callSite; // a hint for people, so a race does no harm
    private volatile boolean cancelled;
    private @Nullable HeldLease asker;
    private List<HeldLease> nested = List.of();
    private @Nullable StoreGrant grant;
    private @Nullable Throwable renewalFailure;
    private boolean renewing;
    private long heldFrom;
    private long releaseAt;
    private volatile boolean failedToRelease;
    private long retryFrom;
    private long retryNanos;
    private final List<StoreGrant> outer;

    @SuppressWarnings("NullAway.Init") // state and term are set through their updaters
    Grip(LockSettings settings, Holder holder, LockPlan plan, Ask ask) {
        this.settings = settings;
        this.holder = holder;
        this.plan = plan;
        this.ask = ask;
        TERM.lazySet(this, ask.term());
        number = holder.nextLeaseNumber();
        STATE.lazySet(this, State.ASKING);
        outer = holder.holdsNothing() ? List.of() : standingGrants(holder);
        callSite = ask.site();
    }

    // ---- what the store asks of it

    @Override
    public UUID leaseId() {
        return LeaseIds.of(number);
    }

    @Override
    public String owner() {
        return ask.owner();
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
        return ask.waitNanos() > 0;
    }

    @Override
    public Deadline deadline() {
        return Deadline.at(ask.askedAt() + ask.waitNanos(), settings.clock());
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
        return holder.grips().stream().filter(Grip::stands).map(Grip::grant).toList();
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
            callSite = CallSite.here().orElse(null);
        }
    }

    @Override
    public Optional<CallSite> callSite() {
        return Optional.ofNullable(callSite);
    }

    // ---- what became of it

    void granted(StoreGrant given) {
        grant = given;
        heldFrom = term.fromNanos();
        state = State.STANDING; // with a full fence: the asker goes on to read what the watcher and close() write
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
        return ask.request().keys();
    }

    /** When the locks were had, in nanoseconds of the clock. */
    long heldFrom() {
        return heldFrom;
    }

    /** Whether its locks can be counted on now. */
    boolean stands() {
        return state == State.STANDING && !term.isOver(settings.clock());
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

    /** Lets the lease that asked for it stand on it. */
    void enter(HeldLease lease) {
        asker = lease;
    }

    /** Lets a lease stand on it that needs some of its locks too. */
    void enterNested(HeldLease lease) {
        if (nested.isEmpty()) {
            nested = new ArrayList<>();
        }
        nested.add(lease);
    }

    /** True when nobody stands on it any more, so that it is now GONE and the caller must tell the store. */
    boolean leave(HeldLease lease) {
        if (asker == lease) {
            asker = null;
        } else {
            nested.remove(lease);
        }
        return asker == null && nested.isEmpty() && detach();
    }

    /** Takes it out of the books. True when the store still knows it and the caller must tell it. */
    boolean detach() {
        State before = state;
        if (before == State.GONE) {
            return false;
        }
        STATE.lazySet(this, State.GONE);
        if (before == State.LOST) {
            holder.page.removeLost(this);
        } else {
            holder.remove(this);
        }
        return before != State.ASKING;
    }

    /** Puts a grip that the store failed to release back on the page, to be released again. */
    void releaseAgainAt(long nanos) {
        state = State.LOST;
        releaseAt = nanos;
        holder.page.addLost(this);
    }

    /** Remembers that the store failed to release it, and answers whether it did so before. */
    boolean failsToReleaseAgain() {
        boolean before = failedToRelease;
        failedToRelease = true;
        return before;
    }

    long releaseAt() {
        return releaseAt;
    }

    /** Ends it as lost, with all leases on it; answers those that had not been lost before. */
    List<HeldLease> lose(Loss.Reason reason) {
        state = State.LOST;
        releaseAt = term.storeNanos();
        holder.remove(this);
        holder.page.addLost(this);
        List<HeldLease> losers = new ArrayList<>();
        if (asker != null && asker.lose(new Loss(reason, renewalFailure))) {
            losers.add(asker);
        }
        for (HeldLease lease : nested) {
            if (lease.lose(new Loss(Loss.Reason.OUTER_LOST, renewalFailure))) {
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
        if (renewing || !term.renews() || now - dueNanos() < 0) {
            return false;
        }
        renewing = true;
        return true;
    }

    /** When there is next something to do for it. */
    long dueNanos() {
        if (renewing) {
            return term.safeNanos();
        }
        if (retryNanos == 0) {
            return term.dueNanos();
        }
        long retryAt = retryFrom + retryNanos;
        return retryAt - term.safeNanos() < 0 ? retryAt : term.safeNanos();
    }

    /** How long a renewal that is confirmed now comes after it was first due; zero when it comes before. */
    Duration lag(long now) {
        return Duration.ofNanos(Math.max(0, now - term.dueNanos()));
    }

    LeaseTerm leaseTerm() {
        return term;
    }

    Renewal renewal(long wanted, long now) {
        return new Renewal(grant(), Duration.ofNanos(term.toAskFor(wanted, now)));
    }

    void renewed(long fromNanos, long fromMillis, Renewal renewal) {
        renewing = false;
        renewalFailure = null;
        retryNanos = 0;
        LeaseTerm extended = term.extended(fromNanos, fromMillis, renewal.term().toNanos());
        if (extended.safeNanos() - term.safeNanos() > 0) { // answers may arrive in another order than requests
            TERM.lazySet(this, extended);
        }
    }

    void renewalFailed(Throwable error, long now) {
        renewing = false;
        renewalFailure = error;
        retryNanos = term.rule().nanos() / RETRIES_PER_TERM;
        retryFrom = now;
    }

    /** The leases that stand on it; takes the page's lock itself. */
    List<HeldLease> standing() {
        holder.page.lock();
        try {
            List<HeldLease> all = new ArrayList<>(nested);
            if (asker != null) {
                all.add(asker);
            }
            return all;
        } finally {
            holder.page.unlock();
        }
    }
}
