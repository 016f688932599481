package dev.lockstep.core.slots;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.Granted;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.RetryPolicy;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
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
    private volatile @Nullable Thread waiter;
    private volatile int releases;

    ProbedSlots(SlotStore store, SlotKeys keys, SlotHints hints) {
        this.store = store;
        this.keys = keys;
        this.hints = hints;
    }

    @Override
    public @Nullable HeldSlot next(int count, Deadline deadline) throws InterruptedException {
        waiter = Thread.currentThread();
        try {
            for (int round = 1; ; round++) {
                int before = releases;
                HeldSlot found = probe(count);
                if (found != null || deadline.passed()) {
                    return found;
                }
                pause(Deadline.in(PAUSES.pauseAfter(round), store.clock()).orEarlier(deadline), before);
            }
        } finally {
            waiter = null;
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
            HeldSlot held = probe(slot.getAsInt(), store, keys);
            if (held != null) {
                return held;
            }
        }
        return null;
    }

    /** The slot if it is free. */
    static @Nullable HeldSlot probe(int slot, SlotStore store, SlotKeys keys) {
        return store.tryAcquire(LockRequest.exclusive(keys.slot(slot)).withoutWaiting()) instanceof Granted granted
                ? new HeldSlot(slot, granted.lease())
                : null;
    }

    private void pause(Deadline end, int releasesBefore) throws InterruptedException {
        while (releases == releasesBefore && !end.passed()) {
            store.clock().park(this, end.remainingNanos());
            if (Thread.interrupted()) {
                throw new InterruptedException("Interrupted while waiting for a permit");
            }
        }
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // any change will do
    public void released() {
        releases++;
        LockSupport.unpark(waiter);
    }

    @Override
    public void end() {}
}
