package dev.lockstep.server.locks;

import dev.lockstep.core.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lease on its way to the client that asked for it. Either the client gets it or, if the client vanished first, it is released: the one that comes
 * second sees what the first one did.
 */
final class Handover {
    static final String ATTRIBUTE = Handover.class.getName();

    private boolean over;
    private boolean abandoned;
    private boolean kept;
    private @Nullable Lease granted;

    /** The locks are acquired; false when the client is gone, and they must be released. */
    synchronized boolean grant(Lease lease) {
        if (over) {
            return false;
        }
        over = true;
        granted = lease;
        return true;
    }

    /** There will be no locks; false when they were granted before, or the client is gone. */
    synchronized boolean refuse() {
        boolean first = !over;
        over = true;
        return first;
    }

    /** Another response carries the lease, so that it is kept even if this client is gone; false if it was abandoned before. */
    synchronized boolean keep() {
        kept = !abandoned;
        return kept;
    }

    /** The client is gone; returns what was granted to it and must be released. */
    synchronized Optional<Lease> abandon() {
        over = true;
        if (kept) {
            return Optional.empty();
        }
        abandoned = true;
        return Optional.ofNullable(granted);
    }
}
