package dev.lockstep.core.engine;

import dev.lockstep.core.LeaseLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Whose locks they are. A holder lasts as long as its outermost lease; a thread's next one may use the same object. Tasks bound to a
 * lease, and requests made through it, have a holder each, as children of the lease's: what the parent holds covers them, and they exclude
 * each other.
 *
 * <p>Its store leases, the latest first, are guarded by the lock of its stripe in the {@link HolderTable}, which it shares with its children. It comes
 * on that stripe with its first store lease and stays there, between store leases too, until a sweep of the stripe finds it idle.
 */
final class Holder {
    private static final AtomicLong IDS = new AtomicLong(1);

    final long id;
    final LockSettings settings;
    final HolderTable.Stripe stripe;
    final @Nullable Holder parent;
    private final @Nullable LeaseHandle boundTo;
    private final LeaseIds ids = new LeaseIds();
    private @Nullable StoreLease latest;
    private boolean isOnStripe;
    private boolean unseen;
    private int openLeases;

    private Holder(
            long id,
            LockSettings settings,
            HolderTable.Stripe stripe,
            @Nullable Holder parent,
            @Nullable LeaseHandle boundTo) {
        this.id = id;
        this.settings = settings;
        this.stripe = stripe;
        this.parent = parent;
        this.boundTo = boundTo;
    }

    /** A holder that belongs to no other. */
    static Holder root(LockSettings settings, HolderTable.Stripe stripe) {
        return new Holder(IDS.getAndIncrement(), settings, stripe, null, null);
    }

    /** A child that is bound to a lease of this holder. Stores see one holder: what a child waits for holds up what its parent holds. */
    Holder child(LeaseHandle lease) {
        return new Holder(id, settings, stripe, this, lease);
    }

    /** A child that is bound to the same lease as this one; empty for a root. */
    Optional<Holder> child() {
        return Optional.ofNullable(boundTo).map(this::child);
    }

    /** Another child of the same parent; empty for a root. */
    Optional<Holder> sibling() {
        return boundTo == null ? Optional.empty() : Optional.of(boundTo.holder.child(boundTo));
    }

    /** Throws if it is bound to a lease that has ended. */
    void requireParentHeld() {
        LeaseLostException ended = parentEnded();
        if (ended != null) {
            throw ended;
        }
    }

    /** The exception for a child of a lease that has ended; null while it is held, and for a root. */
    @Nullable
    LeaseLostException parentEnded() {
        return boundTo == null || boundTo.isHeld() ? null : boundTo.endedParent();
    }

    void opened() {
        openLeases++;
    }

    void closed() {
        openLeases--;
    }

    /** Whether all its leases are closed, while others still use locks that it acquired. Read without the lock: a stale value does no harm. */
    boolean hasEnded() {
        return openLeases == 0 && latest != null;
    }

    long nextLeaseNumber() {
        return ids.next();
    }

    /** Whether neither it nor what it is a child of holds anything. */
    boolean holdsNothing() {
        return latest == null && parent == null;
    }

    /** Its store leases, and those of its parents that are held. */
    List<StoreLease> leasesWithParents() {
        List<StoreLease> all = storeLeases();
        for (Holder each = parent; each != null; each = each.parent) {
            for (StoreLease storeLease : each.storeLeases()) {
                if (storeLease.stands()) {
                    all.add(storeLease);
                }
            }
        }
        return all;
    }

    void add(StoreLease storeLease) {
        storeLease.earlierOfHolder = latest;
        latest = storeLease;
        if (!isOnStripe) {
            isOnStripe = true;
            stripe.add(this);
        }
        if (!unseen) {
            unseen = true;
            stripe.addUnseen(this);
        }
    }

    /** The watcher has seen all store leases that it has now. */
    void seen() {
        unseen = false;
    }

    void remove(StoreLease storeLease) {
        if (latest == storeLease) {
            latest = storeLease.earlierOfHolder;
            return;
        }
        for (StoreLease each = latest; each != null; each = each.earlierOfHolder) {
            if (each.earlierOfHolder == storeLease) {
                each.earlierOfHolder = storeLease.earlierOfHolder;
                return;
            }
        }
    }

    boolean leaveUnseenIfIdle() {
        unseen = latest != null;
        return !unseen;
    }

    boolean leaveIfIdle() {
        isOnStripe = latest != null;
        return !isOnStripe;
    }

    List<StoreLease> storeLeases() {
        List<StoreLease> storeLeases = new ArrayList<>();
        for (StoreLease each = latest; each != null; each = each.earlierOfHolder) {
            storeLeases.add(each);
        }
        return storeLeases;
    }
}
