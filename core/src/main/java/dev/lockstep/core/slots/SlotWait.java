package dev.lockstep.core.slots;

import dev.lockstep.core.Deadline;
import org.jspecify.annotations.Nullable;

/** How the first waiter waits until any of the slots is free. Used by one thread at a time. */
interface SlotWait {
    /** The next slot that becomes free, or is offered; null if none was in time. */
    @Nullable
    HeldSlot next(PermitCount count, Deadline deadline) throws InterruptedException;

    /** Signals that this process released a slot. May be called on any thread. */
    void released();

    /** Ends all requests, and releases what they were granted. */
    void end();
}
