package dev.lockstep.core.slots;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Queues at all slots at once, for stores in which a waiting request costs little. A slot that is released then goes to the first waiter, whichever
 * process released it, and to no request that came later. This is no request for a set of locks, which must never queue at two: it takes any one of them,
 * and waits for no other while it holds one.
 */
final class QueuedSlots implements SlotWait {
    private final SlotStore store;
    private final SlotKeys keys;
    private final Map<Integer, CompletableFuture<Lease>> requests = new HashMap<>();
    private final Queue<Integer> done = new ConcurrentLinkedQueue<>();
    private final Offers offers;
    private final SlotHints hints;

    QueuedSlots(SlotStore store, SlotKeys keys, SlotHints hints, Offers offers) {
        this.store = store;
        this.keys = keys;
        this.hints = hints;
        this.offers = offers;
    }

    @Override
    public @Nullable HeldSlot next(PermitCount count, Deadline deadline) throws InterruptedException {
        while (true) {
            HeldSlot found = queueAt(count.current());
            if (found != null || deadline.passed()) {
                return found;
            }
            offers.await(() -> !done.isEmpty(), count.nextReading().orEarlier(deadline));
        }
    }

    /** Stops at the first slot that is free at once. */
    private @Nullable HeldSlot queueAt(int count) {
        HeldSlot found = poll(count);
        for (int slot = 0; slot < count && found == null; slot++) {
            if (!requests.containsKey(slot)) {
                request(slot);
                found = poll(count);
            }
        }
        return found;
    }

    private void request(int slot) {
        CompletableFuture<Lease> asked =
                store.acquireAsync(LockRequest.exclusive(keys.slot(slot)).withoutLimit());
        requests.put(slot, asked);
        CompletableFuture<?> unused = asked.whenComplete((lease, error) -> {
            done.add(slot);
            offers.wake();
        });
    }

    private @Nullable HeldSlot poll(int count) {
        HeldSlot offered = offers.poll();
        if (offered != null) {
            return offered;
        }
        for (Integer slot = done.poll(); slot != null; slot = done.poll()) {
            CompletableFuture<Lease> asked = requests.get(slot);
            if (asked == null || !asked.isDone()) {
                continue; // of an earlier request
            }
            requests.remove(slot);
            Lease lease = granted(asked);
            if (slot < count) {
                hints.held(slot, lease);
                return new HeldSlot(slot, lease, store.clock().nanos());
            }
            lease.close(); // there are fewer permits now
        }
        return null;
    }

    private static Lease granted(CompletableFuture<Lease> asked) {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LockException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError("It is done", e);
        }
    }

    @Override
    public void released() {}

    @Override
    public void end() {
        requests.values().forEach(QueuedSlots::cancel);
        requests.clear();
        done.clear();
    }

    private static void cancel(CompletableFuture<Lease> asked) {
        if (!asked.cancel(true)) {
            try {
                asked.join().close();
            } catch (CancellationException | CompletionException failed) {
                // it holds nothing
            }
        }
    }
}
