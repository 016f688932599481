package dev.lockstep.client;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Renews and releases leases of the server, and knows which are this process's. */
final class ServerLeases {
    private static final long SHORTEST_MS = 100;
    private static final int AT_A_TIME = 16;

    private final ServerConnection connection;
    private final Map<String, OwnLease> ownByName = new ConcurrentHashMap<>();

    ServerLeases(ServerConnection connection) {
        this.connection = connection;
    }

    /** How long the server shall keep a lease, in whole milliseconds, and no shorter than it accepts. */
    static long millis(Duration term) {
        return Math.max(SHORTEST_MS, term.plusNanos(999_999).toMillis());
    }

    void granted(HttpGrant grant, Optional<CallSite> callSite) {
        OwnLease own = new OwnLease(grant.leaseId(), callSite);
        grant.leases().forEach(lease -> ownByName.put(lease.name(), own));
    }

    /** What this process knows of the lease that has this name at the server. */
    OwnLease find(String name) {
        OwnLease own = ownByName.get(name);
        return own != null ? own : new OwnLease(idOf(name), Optional.empty());
    }

    private static UUID idOf(String name) {
        try {
            return UUID.fromString(name.substring(Math.max(0, name.length() - 36)));
        } catch (IllegalArgumentException e) {
            return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String path(ServerLease lease) {
        return "api/locks/" + lease.id();
    }

    /**
     * A few at a time, because each takes a connection. A lease that the server fails to renew doesn't keep the others from being sent; only when it
     * responds to none of a few, the rest isn't sent.
     */
    List<StoreGrant> renew(List<Renewal> renewals) {
        List<OneRenewal> all = renewals.stream()
                .flatMap(renewal ->
                        ((HttpGrant) renewal.grant()).leases().stream().map(lease -> new OneRenewal(renewal, lease)))
                .toList();
        RenewalResult result = new RenewalResult();
        for (int from = 0; from < all.size() && !result.isSilent(); from += AT_A_TIME) {
            renew(all.subList(from, Math.min(all.size(), from + AT_A_TIME)), result);
        }
        return result.gone();
    }

    private record OneRenewal(Renewal renewal, ServerLease lease) {}

    private void renew(List<OneRenewal> some, RenewalResult result) {
        Map<OneRenewal, CompletableFuture<Reply>> sent = new LinkedHashMap<>();
        for (OneRenewal each : some) {
            Map<String, Long> body = Map.of("extendByMs", millis(each.renewal().term()));
            sent.put(each, connection.post(path(each.lease()) + "/renew", body, Duration.ZERO));
        }
        result.next();
        sent.forEach((each, reply) -> {
            try {
                if (!result.kept(connection.complete(reply), each.renewal().grant())) {
                    ownByName.remove(each.lease().name());
                }
            } catch (IOException e) {
                result.failed(connection.unreachable(e));
            }
        });
    }

    private boolean isKept(CompletableFuture<Reply> sent) {
        try {
            Reply reply = connection.complete(sent);
            if (!reply.succeeded() && !reply.isGone()) {
                throw reply.failure();
            }
            return reply.succeeded();
        } catch (IOException e) {
            throw connection.unreachable(e);
        }
    }

    /** Returns whether all of it was still held. */
    boolean release(HttpGrant grant) {
        boolean held = true;
        List<ServerLease> backwards = new ArrayList<>(grant.leases());
        Collections.reverse(backwards);
        for (ServerLease lease : backwards) {
            held &= release(lease);
        }
        return held;
    }

    private boolean release(ServerLease lease) {
        try {
            return isKept(connection.delete(path(lease)));
        } finally {
            ownByName.remove(lease.name());
        }
    }

    /** Releases what a request has acquired before it failed; what can't be released ends with its term. */
    void releaseQuietly(List<ServerLease> leases) {
        for (ServerLease lease : leases) {
            try {
                boolean unused = release(lease);
            } catch (LockException e) {
                // It ends with its term.
            }
        }
    }
}
