package dev.lockstep.core.slots;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The line of those that wait for a permit. Within the process it is a fair lock, and between processes the gate: a lock in the store, whose queue
 * is as fair as the store is. The first of each line waits for the slots; the gate stays for the next of the same process, for at most as many
 * permits as there are, and then goes to the next process.
 *
 * <p>Before that, a permit that another thread of the process releases soon after the store granted it is passed on to the first of the line, without
 * a call to the store. A single permit is never passed on: its token must rise with each holder.
 */
final class SlotQueue {
    /** How long a permit stays in a process at most. Others wait in the store meanwhile. */
    private static final long STAYS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long the first of the line waits for a permit that its process holds, before it asks the store. */
    private static final Duration OWN = Duration.ofMillis(1);

    private final SlotStore store;
    private final SlotKeys keys;
    private final SlotWait slots;
    private final SlotHints hints;
    private final Offers offers;
    private final ReentrantLock turn = new ReentrantLock(true);
    private @Nullable CompletableFuture<Lease> gate;
    private int served;
    private volatile boolean open;

    SlotQueue(SlotStore store, SlotKeys keys, SlotWait slots, SlotHints hints, Offers offers) {
        this.store = store;
        this.keys = keys;
        this.slots = slots;
        this.hints = hints;
        this.offers = offers;
    }

    /** Whether requests of this process wait. */
    boolean isInUse() {
        return open || hasWaiters();
    }

    private boolean hasWaiters() {
        return turn.isLocked() || turn.hasQueuedThreads();
    }

    /** Passes a slot on to the first of the line, if that is allowed and there is one. */
    boolean passOn(HeldSlot held, int count) {
        if (!hasWaiters()
                || count == 1
                || held.slot() >= count
                || store.clock().nanos() - held.since() >= STAYS
                || !held.lease().isHeld()) {
            return false;
        }
        offers.add(held);
        releaseIfUnused(); // the last waiter may have left before the offer
        return true;
    }

    /** The next permit for the caller; null if it was not its turn, or none was free, in time. */
    @Nullable
    HeldSlot await(PermitCount count, Deadline deadline) throws InterruptedException {
        try {
            if (!turn.tryLock(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS)) {
                return null;
            }
            offers.waiter(Thread.currentThread());
            try {
                return first(count, deadline);
            } finally {
                offers.waiter(null);
                turn.unlock();
            }
        } finally {
            endIfUnused();
        }
    }

    private @Nullable HeldSlot first(PermitCount count, Deadline deadline) throws InterruptedException {
        HeldSlot found = ofThisProcess(count.current(), deadline);
        return found != null ? found : fromStore(count, deadline);
    }

    /** One that gives up leaves its place to the next of its process, one that fails doesn't. */
    private @Nullable HeldSlot fromStore(PermitCount count, Deadline deadline) throws InterruptedException {
        HeldSlot found;
        try {
            found = enter(count.current(), deadline) ? slots.next(count, deadline) : offers.poll();
        } catch (RuntimeException | Error e) {
            end();
            throw e;
        }
        if (found != null && ++served >= count.known()) {
            endAfter(found);
        }
        return found;
    }

    private void endAfter(HeldSlot found) {
        boolean ended = false;
        try {
            end();
            ended = true;
        } finally {
            if (!ended) {
                hints.released(found.slot(), found.lease());
                found.lease().close();
            }
        }
    }

    private @Nullable HeldSlot ofThisProcess(int count, Deadline deadline) throws InterruptedException {
        HeldSlot offered = offers.poll();
        if (offered == null && !open && count > 1 && hints.holdsAny()) {
            offers.await(() -> false, Deadline.in(OWN, store.clock()).orEarlier(deadline));
            offered = offers.poll();
        }
        return offered;
    }

    /** Whether this process has the gate; it doesn't when a permit was passed on or the time has passed before. */
    private boolean enter(int count, Deadline deadline) throws InterruptedException {
        if (count == 1 && !store.waitsBlock()) { // the queue of a single slot is the line
            open = true;
            return true;
        }
        CompletableFuture<Lease> asked = gate;
        if (asked == null || wasLost(asked)) {
            end();
            open = true;
            asked = store.acquireAsync(LockRequest.exclusive(keys.gate()).withoutLimit());
            gate = asked;
            CompletableFuture<?> unused = asked.whenComplete((lease, error) -> offers.wake());
        }
        offers.await(asked::isDone, deadline);
        if (asked.isCompletedExceptionally()) {
            throw failure(asked);
        }
        return asked.isDone();
    }

    private static boolean wasLost(CompletableFuture<Lease> gate) {
        return gate.isDone() && (gate.isCompletedExceptionally() || !gate.join().isHeld());
    }

    private static RuntimeException failure(CompletableFuture<Lease> failed) {
        try {
            failed.join();
            return new IllegalStateException("It has failed");
        } catch (CompletionException e) {
            return e.getCause() instanceof LockException known ? known : e;
        }
    }

    // ---- the end of the line

    /** A thread that leaves the line may have been what the others left the gate, or an offer, for. */
    private void endIfUnused() {
        while (open && !turn.hasQueuedThreads() && turn.tryLock()) {
            try {
                if (!turn.hasQueuedThreads()) {
                    end();
                }
            } finally {
                turn.unlock();
            }
        }
        releaseIfUnused();
    }

    private void releaseIfUnused() {
        while (!hasWaiters()) {
            HeldSlot unused = offers.poll();
            if (unused == null) {
                return;
            }
            unused.lease().close();
            hints.released(unused.slot(), unused.lease());
        }
    }

    private void end() {
        served = 0;
        try {
            slots.end();
        } finally {
            CompletableFuture<Lease> asked = gate;
            gate = null;
            open = false;
            if (asked != null && !asked.cancel(true) && !asked.isCompletedExceptionally()) {
                asked.join().close();
            }
        }
    }
}
