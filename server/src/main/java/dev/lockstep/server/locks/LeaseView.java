package dev.lockstep.server.locks;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The schema Lease of the API's document, for the owner of the lease only. */
record LeaseView(
        String leaseId,
        String leaseName,
        List<String> keys,
        String mode,
        String owner,
        String token,
        String source,
        Instant expiresAt,
        long leaseMs,
        long waitedMs) {
    static LeaseView of(DeskLease held, LeaseId id) {
        Lease lease = held.lease();
        Instant expiresAt = lease.expiresAt();
        return new LeaseView(
                id.text(),
                id.name(),
                lease.keys().stream().map(LockKey::toString).toList(),
                held.mode(),
                lease.owner(),
                lease.token().toString(),
                lease.source(),
                expiresAt,
                Math.max(0, Duration.between(Instant.now(), expiresAt).toMillis()),
                held.waited().toMillis());
    }

    /** Without the id, which no log may have. */
    @Override
    public String toString() {
        return leaseName;
    }
}
