package dev.lockstep.redis;

import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Lets leases last longer: all that a partition keeps in one call, unless there are very many. */
final class LeaseRenewer {
    private static final int MOST_IN_A_CALL = 500;

    private final Servers servers;
    private final LeaseCalls calls;

    /** One slice of a lease to extend. */
    private record Extension(RedisGrant grant, Slice slice, String micros) {}

    LeaseRenewer(Servers servers, LeaseCalls calls) {
        this.servers = servers;
        this.calls = calls;
    }

    /** Returns those that are no longer held. What is left of a lease of which a slice has ended is released. */
    List<StoreGrant> renew(List<Renewal> renewals) {
        List<CompletionStage<List<RedisGrant>>> sent = new ArrayList<>();
        byPartition(renewals).forEach((partition, all) -> {
            for (int from = 0; from < all.size(); from += MOST_IN_A_CALL) {
                sent.add(extend(partition, all.subList(from, Math.min(all.size(), from + MOST_IN_A_CALL))));
            }
        });
        Set<StoreGrant> ended = Collections.newSetFromMap(new IdentityHashMap<>());
        sent.forEach(each -> ended.addAll(servers.answers().await(each, "Renewing leases")));
        ended.forEach(grant -> giveBackRest((RedisGrant) grant));
        return List.copyOf(ended);
    }

    private static Map<Partition, List<Extension>> byPartition(List<Renewal> renewals) {
        Map<Partition, List<Extension>> extensions = new LinkedHashMap<>();
        for (Renewal each : renewals) {
            RedisGrant grant = (RedisGrant) each.grant();
            String micros = Long.toString(NamespaceGeneration.micros(each.term()));
            for (Slice slice : grant.slices()) {
                extensions
                        .computeIfAbsent(slice.partition(), any -> new ArrayList<>())
                        .add(new Extension(grant, slice, micros));
            }
        }
        return extensions;
    }

    private CompletionStage<List<RedisGrant>> extend(Partition partition, List<Extension> extensions) {
        String[] arguments = new String[2 * extensions.size()];
        for (int i = 0; i < extensions.size(); i++) {
            arguments[2 * i] = extensions.get(i).slice().id();
            arguments[2 * i + 1] = extensions.get(i).micros();
        }
        return servers.call(partition, Script.RENEW, arguments).thenApply(held -> {
            List<RedisGrant> ended = new ArrayList<>();
            for (int i = 0; i < extensions.size(); i++) {
                if ((Long) held.get(i) == 0) {
                    ended.add(extensions.get(i).grant());
                }
            }
            return ended;
        });
    }

    private void giveBackRest(RedisGrant grant) {
        if (grant.slices().size() > 1) {
            CompletionStage<Boolean> unused = calls.release(grant.slices());
        }
    }
}
