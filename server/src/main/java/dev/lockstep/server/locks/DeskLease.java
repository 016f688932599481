package dev.lockstep.server.locks;

import dev.lockstep.core.Lease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lease that a client holds over HTTP.
 *
 * @param ask the request that it was granted to
 * @param waited how long the client waited for it
 * @param secret what the client shows to renew or release it
 */
record DeskLease(Lease lease, Ask ask, Duration waited, LeaseSecret secret) {
    /** Exclusive or shared. */
    String mode() {
        return ask.mode();
    }

    /** Under which the client may ask for it again. */
    @Nullable
    String requestId() {
        return ask.requestId();
    }

    boolean isOwnedBy(LeaseId id) {
        LeaseSecret shown = id.secret();
        return shown != null && secret.matches(shown);
    }
}
