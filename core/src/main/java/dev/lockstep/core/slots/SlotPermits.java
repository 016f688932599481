package dev.lockstep.core.slots;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.internal.Durations;
import dev.lockstep.core.permits.Permits;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/*
 * How permits work on any store
 * -----------------------------
 * Each permit is a slot: an exclusive lock with a key derived from the permits' key. So a permit is a lease like any other, and the store guarantees
 * that no two processes have one slot; there are as many slots as permits, hence never more holders.
 *
 * A request tries a slot that this process believes to be free, without waiting: one call if that is true. Otherwise it joins the line
 * (SlotQueue), in which one request of all processes waits for all slots.
 */
/** Permits as slots. */
public final class SlotPermits implements Permits {
    /** Slots that a request tries before it joins the line. */
    private static final int TRIES = 2;

    private final LockKey key;
    private final SlotStore store;
    private final PermitCount count;
    private final SlotKeys keys;
    private final SlotHints hints = new SlotHints();
    private final ProbedSlots probes;
    private final SlotWait waits;
    private final SlotQueue queue;

    private SlotPermits(LockKey key, PermitCount count, SlotStore store) {
        this.key = key;
        this.store = store;
        this.count = count;
        keys = new SlotKeys(key, store::lockedFor);
        Offers offers = new Offers(store.clock());
        probes = new ProbedSlots(store, keys, hints, offers);
        waits = store.waitsBlock() ? probes : new QueuedSlots(store, keys, hints, offers);
        queue = new SlotQueue(store, keys, waits, hints, offers);
    }

    /** Declares the number of permits of a key. */
    public static Permits declare(LockKey key, int count, SlotStore store) {
        return new SlotPermits(key, PermitCount.declare(key, count, store), store);
    }

    @Override
    public LockKey key() {
        return key;
    }

    @Override
    public int count() {
        return count.known();
    }

    @Override
    public void resize(int next) {
        count.resize(next);
    }

    // ---- acquiring

    @Override
    public Lease acquire() {
        return acquire(store.defaultWait());
    }

    @Override
    public Lease acquire(Duration within) {
        Durations.requirePositive(
                "The time to wait", within, "Give a positive duration, or call tryAcquire() to return at once.");
        Duration longest = Durations.atMostLongest("The time to wait", within);
        long start = store.clock().nanos();
        HeldSlot found = tryAtOnce(TRIES);
        if (found == null) {
            found = await(Deadline.at(start + longest.toNanos(), store.clock()));
        }
        if (found == null) {
            Duration waited = Duration.ofNanos(store.clock().nanos() - start);
            throw new LockTimeoutException(busy(), List.of(key), waited);
        }
        return lease(found);
    }

    private @Nullable HeldSlot await(Deadline deadline) {
        try {
            return queue.await(count, deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockException(
                    ErrorCode.INTERRUPTED,
                    "Interrupted while waiting for a permit of '" + key + "'. Nothing is held.",
                    List.of(key),
                    e);
        }
    }

    @Override
    public Attempt tryAcquire() {
        HeldSlot found = tryAtOnce(Permits.MOST);
        return found == null ? busy() : new Granted(lease(found));
    }

    /** Tries this many slots that may be free; none while others of this process wait. */
    private @Nullable HeldSlot tryAtOnce(int tries) {
        int all = count.current();
        if (queue.isInUse()) {
            return null;
        }
        if (tries >= all) {
            return probes.probe(all);
        }
        HeldSlot found = null;
        for (int i = 0; i < tries && found == null; i++) {
            OptionalInt slot = hints.candidate(all);
            found = slot.isEmpty() ? null : probes.probeOne(slot.getAsInt());
        }
        return found;
    }

    private Busy busy() {
        return new Busy(key, LockMode.EXCLUSIVE, List.of());
    }

    private Lease lease(HeldSlot found) {
        return new PermitLease(found.lease(), alone -> release(found, alone));
    }

    private ReleaseOutcome release(HeldSlot held, boolean alone) {
        if (alone && queue.passOn(held, count.known())) {
            return ReleaseOutcome.RELEASED;
        }
        try {
            return held.lease().release();
        } finally {
            hints.released(held.slot(), held.lease());
            waits.released();
        }
    }

    @Override
    public <X extends Exception> void run(Locks.LeaseTask<X> task) throws X {
        Lease lease = acquire();
        try {
            task.run(lease);
        } catch (Throwable e) {
            if (lease.release() == ReleaseOutcome.LOST) {
                e.addSuppressed(lost(lease));
            }
            throw e;
        }
        if (lease.release() == ReleaseOutcome.LOST) {
            throw lost(lease);
        }
    }

    private static LeaseLostException lost(Lease lease) {
        try {
            lease.ensureHeld();
            throw new IllegalStateException("A lease that was released is not held");
        } catch (LeaseLostException e) {
            return e;
        }
    }
}
