package dev.lockstep.projectlock;

import dev.lockstep.core.LockClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the steps of a project lock work with. */
record Parts(LeaseTransactions transactions, FileThread files, LockReporter reporter, LockClock clock) {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectLock.class);

    /** Releases what is not wanted, or over; if that fails, its record ends by itself. */
    void giveBack(HeldProject hold) {
        try {
            files.call(() -> transactions.remove(hold), () -> {});
        } catch (Exception e) {
            LOG.debug(
                    "The record of lease {} stays until it expires",
                    hold.lease().leaseId(),
                    e);
        } finally {
            hold.platformLock().release();
        }
    }
}
