package dev.lockstep.core.slots;

import dev.lockstep.core.Lease;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What this process knows of the slots: which of them it holds or tries, and where to try next. The slot that was released last is tried first; processes
 * begin at different ones.
 */
final class SlotHints {
    private final BitSet taken = new BitSet();
    private final Map<Integer, Lease> leases = new HashMap<>();
    private int next = ThreadLocalRandom.current().nextInt(1 << 16);

    /** A slot that this process neither holds nor tries, for the caller to try; empty if there is none. */
    synchronized OptionalInt candidate(int count) {
        int free = firstFree(next % count, count);
        if (free >= count) {
            forgetWhatWasLost();
            free = firstFree(0, count);
        }
        if (free >= count) {
            return OptionalInt.empty();
        }
        taken.set(free);
        next = free + 1;
        return OptionalInt.of(free);
    }

    private int firstFree(int from, int count) {
        int free = taken.nextClearBit(from);
        return free < count ? free : taken.nextClearBit(0);
    }

    /** How many of the slots this process doesn't hold, those not counted that it lost. */
    synchronized int candidates(int count) {
        forgetWhatWasLost();
        return count - taken.get(0, count).cardinality();
    }

    private void forgetWhatWasLost() {
        leases.entrySet().removeIf(each -> {
            boolean lost = !each.getValue().isHeld();
            if (lost) {
                taken.clear(each.getKey());
            }
            return lost;
        });
    }

    synchronized boolean holdsAny() {
        return !leases.isEmpty();
    }

    /** The slot that was tried is held elsewhere, or can't be tried. */
    synchronized void notHeld(int slot) {
        if (!leases.containsKey(slot)) {
            taken.clear(slot);
        }
    }

    synchronized void held(int slot, Lease lease) {
        taken.set(slot);
        leases.put(slot, lease);
    }

    /** Does nothing if the slot was acquired again since. */
    synchronized void released(int slot, Lease lease) {
        if (leases.remove(slot, lease)) {
            taken.clear(slot);
            next = slot;
        }
    }
}
