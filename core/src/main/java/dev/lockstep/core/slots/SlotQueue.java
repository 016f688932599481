package dev.lockstep.core.slots;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The line of those that wait for a permit. Within the process it is a fair lock, and between processes the gate: a lock in the store, whose queue
 * is as fair as the store is. The first of each line waits for the slots; the gate stays for the next of the same process, for at most as many
 * permits as there are, and then goes to the next process.
 */
final class SlotQueue {
    private final SlotStore store;
    private final SlotKeys keys;
    private final SlotWait slots;
    private final ReentrantLock turn = new ReentrantLock(true);
    private @Nullable Lease gate;
    private int served;
    private volatile boolean open;

    SlotQueue(SlotStore store, SlotKeys keys, SlotWait slots) {
        this.store = store;
        this.keys = keys;
        this.slots = slots;
    }

    /** Whether requests of this process wait. */
    boolean isInUse() {
        return open || turn.isLocked();
    }

    /** The next permit for the caller; null if it was not its turn, or none was free, in time. */
    @Nullable
    HeldSlot await(int count, Deadline deadline) throws InterruptedException {
        try {
            if (!turn.tryLock(Math.max(0, deadline.remainingNanos()), TimeUnit.NANOSECONDS)) {
                return null;
            }
            try {
                return first(count, deadline);
            } finally {
                turn.unlock();
            }
        } finally {
            endIfUnused();
        }
    }

    private @Nullable HeldSlot first(int count, Deadline deadline) throws InterruptedException {
        boolean succeeded = false;
        try {
            HeldSlot found = enter(deadline) ? slots.next(count, deadline) : null;
            succeeded = true;
            served++;
            return found;
        } finally {
            if (!succeeded || served >= count) {
                end();
            }
        }
    }

    private boolean enter(Deadline deadline) {
        if (gate != null && gate.isHeld()) {
            return true;
        }
        end();
        open = true;
        LockRequest request = LockRequest.exclusive(keys.gate());
        try {
            gate = store.acquire(deadline.passed() ? request.withoutWaiting() : request.within(deadline.remaining()));
            return true;
        } catch (LockTimeoutException e) {
            return false;
        }
    }

    /** A thread that leaves the line without its turn may have been what the others left the gate for. */
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
    }

    private void end() {
        served = 0;
        try {
            slots.end();
        } finally {
            Lease held = gate;
            gate = null;
            open = false;
            if (held != null) {
                held.close();
            }
        }
    }
}
