package dev.lockstep.server.locks;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The schema of the same name in the API's document: who waits for whom. */
record Graph(Instant at, int waitersFound, List<Node> nodes, List<Edge> edges, List<List<String>> cycles) {
    /** A lease that waits, or that is waited for. */
    record Node(
            String leaseName,
            String owner,
            List<String> holds,
            @Nullable String waitsFor,
            @Nullable Long waitsMs) {}

    /** One lease in the way of another, which wants the key in this mode. */
    record Edge(String from, String to, String key, String mode, boolean waiting) {}
}
