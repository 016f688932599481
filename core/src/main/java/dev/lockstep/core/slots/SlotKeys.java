package dev.lockstep.core.slots;

import dev.lockstep.core.LockKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The keys of the permits, which all processes derive in the same way: siblings of the key, so that no further kind needs to be declared or
 * provisioned. Where a store maps keys to rows, each gets its own row if possible: two permits in one row would be one.
 */
final class SlotKeys {
    private static final int TRIES = 100;

    private final LockKey key;
    private final Function<LockKey, Object> lockedFor;
    private final Set<Object> used = new HashSet<>();
    private final List<LockKey> slots = new ArrayList<>();
    private final LockKey gate;

    SlotKeys(LockKey key, Function<LockKey, Object> lockedFor) {
        this.key = key;
        this.lockedFor = lockedFor;
        gate = distinct("queue");
    }

    /** The lock that the first waiter holds. */
    LockKey gate() {
        return gate;
    }

    synchronized LockKey slot(int index) {
        while (slots.size() <= index) {
            slots.add(distinct(Integer.toString(slots.size())));
        }
        return slots.get(index);
    }

    private LockKey distinct(String name) {
        LockKey first = sibling(name);
        if (used.add(lockedFor.apply(first))) {
            return first;
        }
        for (int i = 1; i < TRIES; i++) {
            LockKey next = sibling(name + "." + i);
            if (used.add(lockedFor.apply(next))) {
                return next;
            }
        }
        return first;
    }

    private LockKey sibling(String name) {
        String id = key.id() + "#" + name;
        return key.parent()
                .map(above -> above.child(key.kind(), id))
                .orElseGet(() -> key.kind().key(id));
    }
}
