package dev.lockstep.client;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.spi.StoreGrant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** What one request was granted: a lease of the server for each run of locks of one mode. */
record HttpGrant(UUID leaseId, List<ServerLease> leases) implements StoreGrant {
    private FencingToken newest() {
        return leases.stream()
                .map(ServerLease::token)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    List<String> nodes() {
        return leases.stream().map(ServerLease::node).distinct().toList();
    }

    @Override
    public long epoch() {
        return newest().epoch();
    }

    @Override
    public long token() {
        return newest().value();
    }
}
