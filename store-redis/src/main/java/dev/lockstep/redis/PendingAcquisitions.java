package dev.lockstep.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The requests of this process that are not answered yet, by the ids of their leases. */
final class PendingAcquisitions {
    private final Map<String, RedisAcquisition> open = new ConcurrentHashMap<>();

    void add(RedisAcquisition acquisition) {
        open.put(acquisition.lease(), acquisition);
    }

    void remove(RedisAcquisition acquisition) {
        open.remove(acquisition.lease(), acquisition); // a later request may have its lease id
    }

    /** The server reports that this lease, or a part of it, may move on. */
    void hint(String slice) {
        RedisAcquisition acquisition = open.get(Slice.leaseOf(slice));
        if (acquisition != null) {
            acquisition.ask();
        }
    }

    /** A release of this process let a lease in; that call was sent at this reading of the clocks. */
    void granted(String lease, long token, long nanos, long millis) {
        RedisAcquisition acquisition = open.get(lease);
        if (acquisition != null) {
            acquisition.letIn(token, nanos, millis);
        }
    }

    /** Ends all of them with an error; each stage completes when the server knows. */
    List<CompletionStage<Boolean>> endAll(Throwable error) {
        return open.values().stream().map(each -> each.end(error)).toList();
    }
}
