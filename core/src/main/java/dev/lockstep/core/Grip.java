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
 * Everything here happens under the lock of the holder's page, which is never held while the store or a user's code is
 * called. Only the step from ASKING to STANDING needs no lock: nobody else acts on a grip that is being asked for.
 */
final class Grip implements StoreRequest {
    /** Where a grip has come to. */
    enum State {
        ASKING,
        STANDING,
        LOST,
        GONE
    }

    final Holder holder;
    final LeaseTerm term;
    private final LockSettings settings;
    private final LockPlan plan;
    private final Ask ask;
    private final long number;
    private final List<HeldLease> standing = new ArrayList<>(1);

    @Nullable
    Grip earlierOfHolder;

    @Nullable
    Grip nextOnPage;

    @Nullable
    Grip previousOnPage;

    private volatile State state = State.ASKING;
    private volatile @Nullable CallSite callSite;
    private @Nullable StoreGrant grant;
    private @Nullable Throwable renewalFailure;
    private boolean renewing;
    private long releaseAt;

    Grip(LockSettings settings, Holder holder, LockPlan plan, Ask ask) {
        this.settings = settings;
        this.holder = holder;
        this.plan = plan;
        this.ask = ask;
        term = ask.term();
        number = holder.nextLeaseNumber();
        if (settings.callSites() == CallSites.ALWAYS) {
            callSite = CallSite.here().orElse(null);
        }
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
        return !ask.longestWait().isZero();
    }

    @Override
    public Deadline deadline() {
        return Deadline.at(ask.askedAt() + ask.longestWait().toNanos(), settings.clock());
    }

    @Override
    public Duration term() {
        return Duration.ofNanos(term.nanos());
    }

    @Override
    public void markStart() {
        term.markStart();
    }

    @Override
    public List<StoreGrant> outer() {
        holder.page.lock();
        try {
            return holder.grips().stream()
                    .filter(grip -> grip.state == State.STANDING)
                    .map(Grip::grant)
                    .toList();
        } finally {
            holder.page.unlock();
        }
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
        term.granted();
        state = State.STANDING;
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

    /** Whether its locks can be counted on now. */
    boolean stands() {
        return state == State.STANDING && !term.isOver();
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

    void enter(HeldLease lease) {
        standing.add(lease);
    }

    /** True when nobody stands on it any more, so that it is now GONE and the caller must tell the store. */
    boolean leave(HeldLease lease) {
        standing.remove(lease);
        return standing.isEmpty() && detach();
    }

    /** Takes it out of the books. True when the store still knows it and the caller must tell it. */
    boolean detach() {
        State before = state;
        if (before == State.GONE) {
            return false;
        }
        state = State.GONE;
        if (before != State.LOST) {
            holder.remove(this);
        }
        holder.page.remove(this);
        return before != State.ASKING;
    }

    /** Puts a grip that the store failed to release back on the page, to be released again. */
    void releaseAgainAt(long nanos) {
        state = State.LOST;
        releaseAt = nanos;
        holder.page.add(this);
    }

    long releaseAt() {
        return releaseAt;
    }

    /** Ends it as lost, with all leases on it; answers those that had not been lost before. */
    List<HeldLease> lose(Loss.Reason reason) {
        state = State.LOST;
        releaseAt = term.storeNanos();
        holder.remove(this);
        Loss loss = new Loss(reason, renewalFailure);
        List<HeldLease> losers = new ArrayList<>();
        for (HeldLease lease : standing) {
            boolean own = lease.isOwn(this);
            if (lease.lose(own ? loss : new Loss(Loss.Reason.OUTER_LOST, renewalFailure))) {
                losers.add(lease);
            }
        }
        return losers;
    }

    Loss.Reason reasonOfEnd() {
        if (term.isCapped()) {
            return Loss.Reason.HELD_TOO_LONG;
        }
        return term.renews() ? Loss.Reason.UNCONFIRMED : Loss.Reason.EXPIRED;
    }

    // ---- renewal

    /** Whether a renewal should begin now; if so, it counts as begun. */
    boolean beginRenewal(long now) {
        if (renewing || !term.isDue(now)) {
            return false;
        }
        renewing = true;
        return true;
    }

    boolean isRenewing() {
        return renewing;
    }

    Renewal renewal(long wanted, long now) {
        return new Renewal(grant(), Duration.ofNanos(term.capped(wanted, now)));
    }

    void renewed(long fromNanos, long fromMillis, Renewal renewal) {
        renewing = false;
        renewalFailure = null;
        term.extend(fromNanos, fromMillis, renewal.term().toNanos());
    }

    void renewalFailed(Throwable error, long now) {
        renewing = false;
        renewalFailure = error;
        term.retryLater(now);
    }

    /** The leases that stand on it; takes the page's lock itself. */
    List<HeldLease> standing() {
        holder.page.lock();
        try {
            return List.copyOf(standing);
        } finally {
            holder.page.unlock();
        }
    }
}
