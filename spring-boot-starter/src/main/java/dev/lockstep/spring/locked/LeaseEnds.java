package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import dev.lockstep.core.ReleaseOutcome;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Releases a lease when the work under it is done and, if it was taken inside a transaction, that has ended too. */
final class LeaseEnds {
    private final Lease lease;
    private final AtomicInteger awaited;

    LeaseEnds(Lease lease, boolean inTransaction) {
        this.lease = lease;
        awaited = new AtomicInteger(inTransaction ? 2 : 1);
    }

    void transactionEnded() {
        endOne();
    }

    void workFailed(Throwable failure) {
        if (awaited.decrementAndGet() == 0) {
            LostLeases.releaseAfter(failure, lease);
        }
    }

    /** Returns what to fail with when the lease was lost before the work was done. */
    @Nullable
    Throwable workEnded() {
        boolean held = lease.isHeld();
        ReleaseOutcome outcome = endOne();
        return held && outcome != ReleaseOutcome.LOST ? null : LostLeases.exception(lease);
    }

    private @Nullable ReleaseOutcome endOne() {
        return awaited.decrementAndGet() == 0 ? lease.release() : null;
    }
}
