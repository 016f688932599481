package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.ReleaseOutcome;

/** What is thrown for a lost lease, beside what the method threw. */
final class LostLeases {
    private LostLeases() {}

    /** Releases a lease after a failure, and notes there that it was lost. */
    static void releaseAfter(Throwable failure, Lease lease) {
        if (lease.release() == ReleaseOutcome.LOST && !(failure instanceof LeaseLostException)) {
            failure.addSuppressed(exception(lease));
        }
    }

    /** The exception of a lease that is not held any more. */
    static Throwable exception(Lease lease) {
        try {
            lease.ensureHeld();
        } catch (LeaseLostException e) {
            return e;
        }
        return new IllegalStateException(lease + " is held after all");
    }
}
