package dev.lockstep.core.concurrent;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import org.jspecify.annotations.Nullable;

/** Leases of the thread's own holder, nested in what the thread holds already. */
record ThreadLeases(Locks locks) implements LeaseAcquirer {
    @Override
    public @Nullable Lease acquire(LockRequest request, @Nullable Lease held) throws InterruptedException {
        try {
            return locks.tryAcquire(request) instanceof Granted granted ? granted.lease() : null;
        } catch (LockException e) {
            if (e.code() == ErrorCode.INTERRUPTED) {
                throw LeaseAcquirer.interrupted(e);
            }
            throw e;
        }
    }
}
