package dev.lockstep.core.concurrent;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import org.jspecify.annotations.Nullable;

/** The views that one thread has locked, the last one first. A list, because a thread holds few, and mostly unlocks the last one. */
final class ThreadHolds {
    private @Nullable ThreadHold last;

    void add(LockKey key, LockMode mode, Lease lease) {
        last = new ThreadHold(key, mode, lease, last);
    }

    @Nullable
    ThreadHold find(LockKey key, LockMode mode) {
        ThreadHold hold = last;
        while (hold != null && !(hold.mode == mode && hold.isOf(key))) {
            hold = hold.next;
        }
        return hold;
    }

    /** A lease of this key in any mode. */
    @Nullable
    Lease leaseOf(LockKey key) {
        ThreadHold hold = last;
        while (hold != null && !hold.isOf(key)) {
            hold = hold.next;
        }
        return hold == null ? null : hold.lease;
    }

    void remove(ThreadHold gone) {
        if (last == gone) {
            last = gone.next;
            return;
        }
        for (ThreadHold hold = last; hold != null; hold = hold.next) {
            if (hold.next == gone) {
                hold.next = gone.next;
                return;
            }
        }
    }
}
