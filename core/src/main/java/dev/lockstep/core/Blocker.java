package dev.lockstep.core;

import java.time.Instant;
import java.util.UUID;

/**
 * A holder or waiter that blocks a waiting request.
 *
 * @param waiting whether it is itself waiting, ahead in the queue, and not yet holding
 */
public record Blocker(String owner, UUID leaseId, LockMode mode, Instant since, boolean waiting) {
    @Override
    public String toString() {
        return "'" + owner + "' (" + mode.symbol() + (waiting ? ", waiting" : "") + " since " + since + ", lease "
                + leaseId + ")";
    }
}
