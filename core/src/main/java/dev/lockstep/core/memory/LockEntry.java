package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One key that several claims want, or have wanted: a list of its holders, with a queue. Guarded by the shard's lock.
 *
 * <p>A request waits when it conflicts with a holder or with a request ahead of it in the queue. So no request is overtaken by a
 * request that would prolong the wait, and none waits behind a request that it doesn't conflict with.
 */
final class LockEntry extends KeyNode {
    final Shard shard;
    final LockKey key;
    private final int depth;
    private final HoldList holders = new HoldList();

    /** Volatile for {@link #hasWaiters}, which is asked without the shard's lock. */
    private volatile @Nullable HoldList queue;

    LockEntry(Shard shard, LockKey key, int hash) {
        super(hash);
        this.shard = shard;
        this.key = key;
        depth = key.depth();
    }

    @Override
    LockKey key() {
        return key;
    }

    boolean admits(LockMode mode) {
        HoldList waiting = queue;
        int present = waiting == null ? holders.modes() : holders.modes() | waiting.modes();
        return (present & mode.conflicts()) == 0;
    }

    /** Whether all that conflicts with this mode is held by leases that have ended, so that another thread is about to remove it. */
    boolean isBeingFreedFor(LockMode mode, long now) {
        HoldList waiting = queue;
        if (waiting != null && (waiting.modes() & mode.conflicts()) != 0) {
            return false;
        }
        for (EntryHold hold = holders.first; hold != null; hold = hold.next) {
            if (!hold.mode.compatibleWith(mode) && !hold.claim.hasEnded(now)) {
                return false;
            }
        }
        return true;
    }

    boolean hasWaiters() {
        return queue != null;
    }

    boolean isUnused() {
        return holders.isEmpty() && queue == null;
    }

    void take(EntryHold hold) {
        holders.append(hold);
        shard.count(depth, hold.mode, 1);
    }

    /** Enters a hold that the shard has counted already. */
    void takeCounted(EntryHold hold) {
        holders.append(hold);
    }

    void release(EntryHold hold) {
        holders.remove(hold);
        shard.count(depth, hold.mode, -1);
    }

    /** Whether a hold that was once entered still is. */
    boolean contains(EntryHold hold) {
        return holders.contains(hold);
    }

    void change(EntryHold hold, LockMode mode) {
        holders.change(hold, mode);
    }

    /** From now on a promotion can't fail. */
    void prepare() {
        holders.prepare();
    }

    void enqueue(EntryHold hold) {
        HoldList waiting = queue;
        if (waiting == null) {
            waiting = new HoldList();
        }
        prepare(); // since a promotion must not fail
        waiting.append(hold);
        queue = waiting;
        shard.count(depth, hold.mode, 1);
    }

    void dequeue(EntryHold hold) {
        HoldList waiting = queue;
        if (waiting != null) {
            waiting.remove(hold);
            shard.count(depth, hold.mode, -1);
            if (waiting.isEmpty()) {
                queue = null;
            }
        }
    }

    /** Turns every waiting hold without a conflict into a held one, first come first served. */
    void promote(List<Claim> promoted) {
        HoldList waiting = queue;
        int ahead = 0;
        for (EntryHold hold = waiting == null ? null : waiting.first; hold != null; ) {
            EntryHold following = hold.next;
            if (((holders.modes() | ahead) & hold.mode.conflicts()) == 0) {
                dequeue(hold);
                take(hold);
                hold.claim.promoted();
                promoted.add(hold.claim);
            } else {
                ahead |= hold.mode.bit();
                if ((ahead & LockMode.EXCLUSIVE.bit()) != 0) {
                    return;
                }
            }
            hold = following;
        }
    }

    /** Reports everyone in the way of a hold in this mode: holders, then those in the queue ahead of {@code self}. */
    void forEachBlocker(LockMode mode, @Nullable EntryHold self, Consumer<EntryHold> action) {
        forEachHolderAgainst(mode, action);
        HoldList waiting = queue;
        if (waiting != null) {
            forEachConflict(waiting.first, mode, self, action);
        }
    }

    /** The first of those in the way of a hold in this mode, at most this many; the rest is not looked at. */
    List<EntryHold> firstBlockers(LockMode mode, @Nullable EntryHold self, int most) {
        List<EntryHold> found = new ArrayList<>();
        addConflicts(holders.first, mode, null, most, found);
        HoldList waiting = queue;
        if (waiting != null) {
            addConflicts(waiting.first, mode, self, most, found);
        }
        return found;
    }

    private static void addConflicts(
            @Nullable EntryHold from, LockMode mode, @Nullable EntryHold end, int most, List<EntryHold> found) {
        for (EntryHold hold = from; hold != null && hold != end && found.size() < most; hold = hold.next) {
            if (!hold.mode.compatibleWith(mode)) {
                found.add(hold);
            }
        }
    }

    /** Reports every holder in the way of a hold in this mode. */
    void forEachHolderAgainst(LockMode mode, Consumer<EntryHold> action) {
        forEachConflict(holders.first, mode, null, action);
    }

    private static void forEachConflict(
            @Nullable EntryHold from, LockMode mode, @Nullable EntryHold end, Consumer<EntryHold> action) {
        for (EntryHold hold = from; hold != null && hold != end; hold = hold.next) {
            if (!hold.mode.compatibleWith(mode)) {
                action.accept(hold);
            }
        }
    }

    @Override
    void forEachHolding(BiConsumer<Claim, LockMode> action) {
        for (EntryHold hold = holders.first; hold != null; hold = hold.next) {
            action.accept(hold.claim, hold.mode);
        }
    }

    void forEachWaiter(Consumer<EntryHold> action) {
        HoldList waiting = queue;
        for (EntryHold hold = waiting == null ? null : waiting.first; hold != null; hold = hold.next) {
            action.accept(hold);
        }
    }
}
