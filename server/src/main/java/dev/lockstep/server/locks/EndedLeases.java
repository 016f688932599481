package dev.lockstep.server.locks;

import dev.lockstep.server.http.Problem;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** The last leases that an operator ended, with the reasons that are reported to their holders. */
@Component
final class EndedLeases {
    private static final int MOST = 10_000;

    private record Ended(DeskLease lease, String by, String reason) {}

    private final Map<UUID, Ended> ended = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Ended> eldest) {
            return size() > MOST;
        }
    };

    synchronized void add(DeskLease lease, String by, String reason) {
        ended.put(lease.lease().id(), new Ended(lease, by, reason));
    }

    /** What is reported to the holder of such a lease. */
    synchronized Optional<Problem> find(LeaseId id) {
        @Nullable Ended found = ended.get(id.lease());
        return found == null || !found.lease().isOwnedBy(id)
                ? Optional.empty()
                : Optional.of(Problem.of(
                                HttpStatus.GONE,
                                "lease-revoked",
                                false,
                                "An operator (" + found.by() + ") ended this lease: " + found.reason()
                                        + " Stop the work that it protected.")
                        .with("reason", found.reason()));
    }
}
