package dev.lockstep.core.slots;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Slots that this process passes on to the next of its own requests, and the thread of that request. */
final class Offers {
    private final LockClock clock;
    private final Queue<HeldSlot> offered = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread waiter;

    Offers(LockClock clock) {
        this.clock = clock;
    }

    void waiter(@Nullable Thread thread) {
        waiter = thread;
    }

    /** Wakes the waiter, which checks what it waits for. */
    void wake() {
        LockSupport.unpark(waiter);
    }

    void add(HeldSlot held) {
        offered.add(held);
        wake();
    }

    /** The next one that has not been lost meanwhile. */
    @Nullable
    HeldSlot poll() {
        HeldSlot next = offered.poll();
        while (next != null && !next.lease().isHeld()) {
            next.lease().close();
            next = offered.poll();
        }
        return next;
    }

    /** Waits until there is an offer, the condition is true, or the deadline has passed. */
    void await(BooleanSupplier condition, Deadline deadline) throws InterruptedException {
        while (offered.isEmpty() && !condition.getAsBoolean() && !deadline.passed()) {
            clock.park(this, deadline.remainingNanos());
            if (Thread.interrupted()) {
                throw new InterruptedException("Interrupted while waiting for a permit");
            }
        }
    }
}
