package dev.lockstep.server.locks;

import dev.lockstep.server.http.Credential;
import dev.lockstep.server.http.Problem;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * The request ids of requests that wait and of leases that are held, so that a request whose answer was lost can be sent again: it gets the lease that it
 * already has. An id belongs to the credential and the content of its first request.
 */
@Component
final class RequestIds {
    private record Entry(
            Credential credential,
            AcquireRequest request,
            Handover handover,
            @Nullable DeskLease lease) {}

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    /** The lease that this request has already; empty if it is new, and then it is under way with this handover. */
    Optional<DeskLease> begin(String id, Credential credential, AcquireRequest request, Handover handover) {
        while (true) {
            @Nullable Entry earlier = entries.putIfAbsent(id, new Entry(credential, request, handover, null));
            if (earlier == null) {
                return Optional.empty();
            }
            if (!earlier.credential().equals(credential) || !earlier.request().equals(request)) {
                throw Problem.of(
                        HttpStatus.CONFLICT,
                        "request-id-reused",
                        false,
                        "The requestId belongs to another request, of another client or with other content. Nothing was acquired."
                                + " Choose a new one.");
            }
            DeskLease lease = Optional.ofNullable(earlier.lease()).orElseThrow(RequestIds::underWay);
            if (earlier.handover().keep()) {
                return Optional.of(lease);
            }
            entries.remove(id, earlier); // its client was gone first, and its lease is being released
        }
    }

    private static Problem underWay() {
        return Problem.of(
                        HttpStatus.CONFLICT,
                        "request-under-way",
                        true,
                        "A request with this requestId still waits for its locks. Send it again later to get its answer.")
                .withHeader("Retry-After", "1");
    }

    void granted(String id, DeskLease lease, Handover handover) {
        entries.computeIfPresent(
                id,
                (key, entry) -> entry.handover() == handover
                        ? new Entry(entry.credential(), entry.request(), handover, lease)
                        : entry);
    }

    /** The request was refused, or its client is gone before it was granted anything. */
    void forget(String id, Handover handover) {
        entries.computeIfPresent(
                id, (key, entry) -> entry.handover() == handover && entry.lease() == null ? null : entry);
    }

    /** The lease of a request has ended. */
    void ended(DeskLease lease) {
        if (lease.requestId() != null) {
            entries.computeIfPresent(lease.requestId(), (key, entry) -> lease.equals(entry.lease()) ? null : entry);
        }
    }
}
