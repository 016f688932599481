package dev.lockstep.server.locks;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.http.ClientShare;
import dev.lockstep.server.http.Problem;
import dev.lockstep.spring.LeaseConnections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** How many leases this server keeps at a time: as configured, and while a database is in use no more than there are connections for. */
@Component
final class LeaseLimit {
    private final int configured;
    private final ObjectProvider<LeaseConnections> databases;

    /** By the name of the store: it doesn't change, and each request asks. */
    private final Map<String, Integer> connections = new ConcurrentHashMap<>();

    private final PairSight pair;
    private final String store;
    private final ClientShare asks;
    private final ClientShare bytes;

    LeaseLimit(Locks locks, ServerProperties server, ObjectProvider<LeaseConnections> databases, PairSight pair) {
        ServerProperties.Limits limits = server.limits();
        configured = limits.leases();
        asks = new ClientShare(configured, limits.perClient());
        bytes = new ClientShare(limits.leaseBytes().toBytes(), limits.perClient());
        this.databases = databases;
        store = locks.storeName();
        this.pair = pair;
    }

    int most() {
        return Math.min(configured, connections());
    }

    /** How many leases the store in use has connections for: that of a pair is now the one, now the other. */
    private int connections() {
        String active = pair.view().map(FallbackView::active).orElse(store);
        return connections.computeIfAbsent(
                active,
                name -> databases.stream()
                        .flatMapToInt(each -> each.of(name).stream())
                        .findFirst()
                        .orElse(Integer.MAX_VALUE));
    }

    /** Takes a place beside this many leases; it is kept while the request waits and while its lease is held. */
    void enter(Ask ask, int leases) {
        if (leases >= connections() || !asks.take(ask.client(), 1)) {
            throw reached();
        }
        if (!bytes.take(ask.client(), ask.bytes())) {
            asks.giveBack(ask.client(), 1);
            throw tooManyBytes();
        }
    }

    void leave(Ask ask) {
        asks.giveBack(ask.client(), 1);
        bytes.giveBack(ask.client(), ask.bytes());
    }

    /** What a store says when its last connection is taken is the same to a client. */
    Throwable explained(Throwable failure, int leases) {
        return failure instanceof LockException known
                        && !(known instanceof GrantsPausedException)
                        && known.code() == ErrorCode.STORE_UNAVAILABLE
                        && leases >= connections()
                ? reached()
                : failure;
    }

    private static Problem tooManyBytes() {
        return Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "too-many-leases",
                        true,
                        "The keys of all leases take as much memory as they may on this server, or those of yours as much as one"
                                + " client may take. Nothing of the request is held. Use shorter keys, or raise"
                                + " lockstep.server.limits.lease-bytes.")
                .withHeader("Retry-After", "1");
    }

    private Problem reached() {
        String wayOut = connections() < configured
                ? "On a database each takes a connection: raise lockstep.connections (--leases of 'lockstep serve')."
                : "Raise lockstep.server.limits.leases.";
        return Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "too-many-leases",
                        true,
                        "This server keeps at most " + most()
                                + " leases at a time, and has as many, or as many of yours as one client may have. Nothing of"
                                + " the request is held. Try again when some are released. " + wayOut)
                .withHeader("Retry-After", "1");
    }
}
