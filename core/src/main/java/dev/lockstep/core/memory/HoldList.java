package dev.lockstep.core.memory;

import dev.lockstep.core.LockMode;
import org.jspecify.annotations.Nullable;

/** A linked list of holds that knows which modes are in it. */
class HoldList {
    @Nullable
    Hold first;

    private @Nullable Hold last;
    private int intentShared;
    private int intentExclusive;
    private int shared;
    private int sharedIntentExclusive;
    private int exclusive;

    /** The bits of the modes that are in the list. */
    final int modes() {
        return (intentShared > 0 ? LockMode.INTENT_SHARED.bit() : 0)
                | (intentExclusive > 0 ? LockMode.INTENT_EXCLUSIVE.bit() : 0)
                | (shared > 0 ? LockMode.SHARED.bit() : 0)
                | (sharedIntentExclusive > 0 ? LockMode.SHARED_INTENT_EXCLUSIVE.bit() : 0)
                | (exclusive > 0 ? LockMode.EXCLUSIVE.bit() : 0);
    }

    final boolean isEmpty() {
        return first == null;
    }

    final void append(Hold hold) {
        Hold before = last;
        hold.previous = before;
        if (before == null) {
            first = hold;
        } else {
            before.next = hold;
        }
        last = hold;
        count(hold, 1);
    }

    final void remove(Hold hold) {
        Hold before = hold.previous;
        Hold after = hold.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        hold.previous = null;
        hold.next = null;
        count(hold, -1);
    }

    /** Whether a hold that was once in this list still is. */
    final boolean contains(Hold hold) {
        return first == hold || hold.previous != null;
    }

    final void change(Hold hold, LockMode mode) {
        count(hold, -1);
        hold.mode = mode;
        count(hold, 1);
    }

    private void count(Hold hold, int change) {
        switch (hold.mode) {
            case INTENT_SHARED -> intentShared += change;
            case INTENT_EXCLUSIVE -> intentExclusive += change;
            case SHARED -> shared += change;
            case SHARED_INTENT_EXCLUSIVE -> sharedIntentExclusive += change;
            case EXCLUSIVE -> exclusive += change;
        }
    }
}
