package dev.lockstep.core.slots;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.Granted;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.RetryPolicy;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Tries the slots that other processes may hold again and again, for stores in which a waiting request occupies a connection. A slot that this
 * process releases is tried at once.
 */
final class ProbedSlots implements SlotWait {
    private static final RetryPolicy PAUSES = RetryPolicy.exponential(Duration.ofMillis(5), 2, Duration.ofMillis(100))
            .withJitter(0.5);

    private final SlotStore store;
    private final SlotKeys keys;
    private final SlotHints hints;
    private final Offers offers;
    private volatile int releases;

    ProbedSlots(SlotStore store, SlotKeys keys, SlotHints hints, Offers offers) {
        this.store = store;
        this.keys = keys;
        this.hints = hints;
        this.offers = offers;
    }

    @Override
    public @Nullable HeldSlot next(PermitCount count, Deadline deadline) throws InterruptedException {
        for (int round = 1; ; round++) {
            int before = releases;
            HeldSlot offered = offers.poll();
            HeldSlot found = offered != null ? offered : probe(count.current());
            if (found != null || deadline.passed()) {
                return found;
            }
            Deadline pause =
                    Deadline.in(PAUSES.pauseAfter(round), store.clock()).orEarlier(deadline);
            offers.await(() -> releases != before, pause);
        }
    }

    /** Tries each slot once that this process doesn't hold. */
    @Nullable
    HeldSlot probe(int count) {
        for (int left = hints.candidates(count); left > 0; left--) {
            OptionalInt slot = hints.candidate(count);
            if (slot.isEmpty()) {
                return null;
            }
            HeldSlot held = probeOne(slot.getAsInt());
            if (held != null) {
                return held;
            }
        }
        return null;
    }

    /** The slot, a candidate, if it is free. */
    @Nullable
    HeldSlot probeOne(int slot) {
        HeldSlot held = null;
        try {
            if (store.tryAcquire(LockRequest.exclusive(keys.slot(slot)).withoutWaiting()) instanceof Granted granted) {
                held = new HeldSlot(slot, granted.lease(), store.clock().nanos());
                hints.held(slot, granted.lease());
            }
            return held;
        } finally {
            if (held == null) {
                hints.notHeld(slot);
            }
        }
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // any change will do
    public void released() {
        releases++;
        offers.wake();
    }

    @Override
    public void end() {}
}
