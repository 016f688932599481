package dev.lockstep.server.locks;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The schema of the same name in the API's document: what this server is. */
record Status(
        String name,
        String version,
        String node,
        String store,
        Instant startedAt,
        long uptimeMs,
        boolean demo,
        String right,
        @Nullable Instant grantsFrom,
        boolean kindsDeclared,
        List<Kind> kinds,
        int mostLeases,
        int holding,
        int waiting,
        int events,
        @Nullable FallbackView fallback) {
    /** A kind that can be locked. */
    record Kind(String prefix, int rank, @Nullable String parent, boolean leaf) {}
}
