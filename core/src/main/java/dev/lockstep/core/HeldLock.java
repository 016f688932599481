package dev.lockstep.core;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** One lock that someone holds now. */
public record HeldLock(
        LockKey key, LockMode mode, String owner, UUID leaseId, Instant since, Optional<CallSite> callSite) {}
