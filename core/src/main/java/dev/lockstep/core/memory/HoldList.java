package dev.lockstep.core.memory;

import dev.lockstep.core.LockMode;
import org.jspecify.annotations.Nullable;

/** A linked list of holds that knows which modes are in it. Most lists never have more than one hold; only then the modes are counted. */
final class HoldList {
    private static final int MODES = LockMode.values().length;

    @Nullable
    EntryHold first;

    private @Nullable EntryHold last;

    /** How many holds there are of each mode; null until there are two. */
    private int @Nullable [] counts;

    /** The bits of the modes that are in the list. */
    int modes() {
        EntryHold only = first;
        if (only == null) {
            return 0;
        }
        if (only.next == null) {
            return only.mode.bit();
        }
        int[] counted = counts();
        int modes = 0;
        for (int place = 0; place < MODES; place++) {
            modes |= counted[place] > 0 ? 1 << place : 0;
        }
        return modes;
    }

    boolean isEmpty() {
        return first == null;
    }

    void append(EntryHold hold) {
        int[] counted = first == null ? counts : counts(); // what fails leaves the list as it was
        EntryHold before = last;
        hold.previous = before;
        if (before == null) {
            first = hold;
        } else {
            before.next = hold;
        }
        last = hold;
        count(counted, hold.mode, 1);
    }

    void remove(EntryHold hold) {
        EntryHold before = hold.previous;
        EntryHold after = hold.next;
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
        count(counts, hold.mode, -1);
    }

    /** Whether a hold that was once in this list still is. */
    boolean contains(EntryHold hold) {
        return first == hold || hold.previous != null;
    }

    void change(EntryHold hold, LockMode mode) {
        count(counts, hold.mode, -1);
        hold.mode = mode;
        count(counts, mode, 1);
    }

    /** From now on appending can't fail. */
    void prepare() {
        int[] unused = counts();
    }

    private int[] counts() {
        int[] counted = counts;
        if (counted == null) {
            counted = new int[MODES];
            for (EntryHold hold = first; hold != null; hold = hold.next) {
                counted[place(hold.mode)]++;
            }
            counts = counted;
        }
        return counted;
    }

    private static void count(int @Nullable [] counted, LockMode mode, int change) {
        if (counted != null) {
            counted[place(mode)] += change;
        }
    }

    /** The place of the mode's bit. */
    private static int place(LockMode mode) {
        return Integer.numberOfTrailingZeros(mode.bit());
    }
}
