package dev.lockstep.core;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One lock that is held now.
 *
 * @param expiresAt when the store releases it unless its lease is renewed, as far as the store knows; empty for what is held by a request that still
 *     waits for more
 */
public record HeldLock(
        LockKey key,
        LockMode mode,
        String owner,
        UUID leaseId,
        Instant since,
        Optional<Instant> expiresAt,
        Optional<CallSite> callSite) {}
