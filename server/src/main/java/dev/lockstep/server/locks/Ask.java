package dev.lockstep.server.locks;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request that was checked.
 *
 * @param mode exclusive or shared, as the client wrote it
 * @param requestId under which the client may send it again
 * @param client whose share of the limits it takes
 */
record Ask(LockRequest request, String mode, @Nullable String requestId, String client) {
    private static final int OVERHEAD = 1_000;

    /** What it takes while it waits and is held, about. */
    long bytes() {
        long letters = request.owner().map(String::length).orElse(0);
        for (LockKey key : request.keys()) {
            letters += key.toString().length();
        }
        return OVERHEAD + 2 * letters;
    }
}
