package dev.lockstep.core.slots;

import dev.lockstep.core.Lease;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What this process knows of the slots: which of them it holds, and where to try next. The slot that was released last is tried first; processes begin at
 * different ones.
 */
final class SlotHints {
    private final BitSet heldHere = new BitSet();
    private final Map<Integer, Lease> leases = new HashMap<>();
    private int next = ThreadLocalRandom.current().nextInt(1 << 16);

    /** A slot that this process doesn't hold, another one with each call; empty if it holds all. */
    synchronized OptionalInt candidate(int count) {
        int from = next % count;
        int free = heldHere.nextClearBit(from);
        if (free >= count) {
            free = heldHere.nextClearBit(0);
        }
        if (free >= count) {
            forgetWhatWasLost();
            free = heldHere.nextClearBit(0);
        }
        if (free >= count) {
            return OptionalInt.empty();
        }
        next = free + 1;
        return OptionalInt.of(free);
    }

    /** How many of the slots this process doesn't hold, those not counted that it lost. */
    synchronized int candidates(int count) {
        forgetWhatWasLost();
        return count - heldHere.get(0, count).cardinality();
    }

    private void forgetWhatWasLost() {
        leases.values().removeIf(lease -> !lease.isHeld());
        heldHere.clear();
        leases.keySet().forEach(heldHere::set);
    }

    synchronized void held(int slot, Lease lease) {
        heldHere.set(slot);
        leases.put(slot, lease);
    }

    /** Does nothing if the slot was acquired again since. */
    synchronized void released(int slot, Lease lease) {
        if (leases.remove(slot, lease)) {
            heldHere.clear(slot);
            next = slot;
        }
    }
}
