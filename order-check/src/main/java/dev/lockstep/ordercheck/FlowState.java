package dev.lockstep.ordercheck;

import com.sun.source.tree.Tree;
import org.jspecify.annotations.Nullable;

/**
 * What holds at the place that the walk through a method has reached: what is held, by which holder, and when the code there runs.
 *
 * <p>What happens in a branch only becomes unsure after it; what happens in code that is handed elsewhere may happen at any time.
 */
final class FlowState {
    private final Sites sites;
    private HeldLeases held;
    private HolderModel holder;
    private boolean attached = true;
    private boolean closed = true;
    private int suppressed;
    private int triesWithCatch;

    FlowState(Sites sites, MethodFacts facts) {
        this.sites = sites;
        this.held = new HeldLeases(facts.heldAtEntry());
        this.holder = facts.holder();
    }

    HeldLeases held() {
        return held;
    }

    void held(HeldLeases now) {
        held = now;
    }

    HolderModel holder() {
        return holder;
    }

    boolean isSuppressed() {
        return suppressed > 0;
    }

    /** Whether an exception at this place leaves the method, and reaches the caller. */
    boolean failsToCaller() {
        return attached && triesWithCatch == 0;
    }

    CodeSite site(Tree at) {
        return sites.of(at);
    }

    LockAct.Context context(Tree at) {
        return context(at, holder);
    }

    LockAct.Context context(Tree at, HolderModel asker) {
        return new LockAct.Context(at, sites.of(at), held.seenBy(asker), attached, closed, isSuppressed());
    }

    void suppressed(boolean isSuppressed, Runnable walk) {
        suppressed += isSuppressed ? 1 : 0;
        walk.run();
        suppressed -= isSuppressed ? 1 : 0;
    }

    void caught(boolean isCaught, Runnable walk) {
        triesWithCatch += isCaught ? 1 : 0;
        walk.run();
        triesWithCatch -= isCaught ? 1 : 0;
    }

    /** Code that may run, at once, any number of times. */
    void branch(Runnable walk) {
        HeldLeases before = held;
        walk.run();
        held = before.merged(held);
    }

    /** A block: what is acquired in it isn't known after it. */
    void block(Runnable walk) {
        HeldLeases before = held;
        walk.run();
        held = before.leftAfter(held);
    }

    /** Code that runs while a lease is held. */
    void under(HeldModel lease, Runnable walk) {
        HeldLeases before = held;
        held = before.with(lease);
        walk.run();
        held = before.merged(held);
    }

    /** Code that is bound to a lease: a separate holder, below that of the lease. */
    void bound(@Nullable HeldModel lease, boolean atOnce, Runnable walk) {
        HeldLeases before = held;
        HolderModel holderBefore = holder;
        holder = new HolderModel(lease == null ? null : lease.holder());
        boolean isHere = atOnce && lease != null;
        if (!isHere) {
            held = held.mapped(each -> each.isSame(lease) ? each : each.unsure());
        }
        at(attached && isHere, lease != null, walk);
        holder = holderBefore;
        held = before.merged(held);
    }

    /** Code that is handed elsewhere. */
    void elsewhere(Runnable walk) {
        HeldLeases before = held;
        held = before.unsure();
        at(false, false, walk);
        held = before.beside(held);
    }

    private void at(boolean isAttached, boolean isClosed, Runnable walk) {
        boolean attachedBefore = attached;
        boolean closedBefore = closed;
        attached = isAttached;
        closed = isClosed;
        walk.run();
        attached = attachedBefore;
        closed = closedBefore;
    }
}
