package dev.lockstep.core;

import java.time.Duration;
import java.util.List;

/**
 * The store is reachable and grants no lock yet: after a restart or a switch, every lease that may have been forgotten has to expire first. Nothing is
 * held.
 */
public final class GrantsPausedException extends LockException {
    private static final long serialVersionUID = 1L;

    private final Duration remaining;

    /** Says why, and for how much longer at most. */
    public GrantsPausedException(String message, List<LockKey> keys, Duration remaining) {
        super(ErrorCode.STORE_UNAVAILABLE, message, keys, null);
        this.remaining = remaining;
    }

    /** How much longer no lock is granted, at most. */
    public Duration remaining() {
        return remaining;
    }
}
