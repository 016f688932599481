package dev.lockstep.etcd;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The requests of this process that are not answered yet, by the ids of their leases. */
final class OpenAcquisitions {
    private final Map<UUID, EtcdAcquisition> open = new ConcurrentHashMap<>();

    void add(EtcdAcquisition acquisition) {
        open.put(acquisition.request.leaseId(), acquisition);
    }

    void remove(EtcdAcquisition acquisition) {
        open.remove(acquisition.request.leaseId(), acquisition); // a later request may have its lease id
    }

    void proceed(UUID lease) {
        EtcdAcquisition acquisition = open.get(lease);
        if (acquisition != null) {
            acquisition.proceed();
        }
    }

    /** Keeps those that wait alive. */
    void attend() {
        open.values().forEach(EtcdAcquisition::attend);
    }

    /** Has all of them read again. */
    void doubt() {
        open.values().forEach(EtcdAcquisition::doubt);
    }

    /** Ends all of them with an error; each stage completes when etcd knows. */
    List<CompletionStage<Boolean>> endAll(Throwable error) {
        return open.values().stream().map(each -> each.end(error)).toList();
    }
}
