package dev.lockstep.core.concurrent;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import org.jspecify.annotations.Nullable;

/** A view that its thread has locked: the lease, and how often it is locked. */
final class ThreadHold {
    final LockKey key;
    final LockMode mode;
    final Lease lease;

    @Nullable
    ThreadHold next;

    int count = 1;

    ThreadHold(LockKey key, LockMode mode, Lease lease, @Nullable ThreadHold next) {
        this.key = key;
        this.mode = mode;
        this.lease = lease;
        this.next = next;
    }

    boolean isOf(LockKey other) {
        return key.equals(other);
    }
}
