package dev.lockstep.server.locks;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The schema of the same name in the API's document: who holds and who waits. */
record LocksView(
        String store,
        String node,
        Instant at,
        int holdersFound,
        int waitersFound,
        List<Holder> holders,
        List<Waiter> waiters,
        @Nullable FallbackView fallback) {
    /** A lock that is held. */
    record Holder(
            String key,
            String mode,
            String owner,
            Instant since,
            long ageMs,
            String leaseName,
            @Nullable Instant expiresAt,
            @Nullable Long leftMs,
            boolean releasable,
            @Nullable String callSite) {}

    /** A request that waits. */
    record Waiter(
            String key,
            String mode,
            String owner,
            Instant since,
            long ageMs,
            String leaseName,
            List<BlockerView> blockedBy,
            @Nullable String callSite) {}
}
