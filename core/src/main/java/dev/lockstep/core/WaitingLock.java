package dev.lockstep.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One request that waits now, and the lock it has come to.
 *
 * @param blockedBy holders in the way, and conflicting requests ahead in the queue
 */
public record WaitingLock(
        LockKey key,
        LockMode mode,
        String owner,
        UUID leaseId,
        Instant since,
        List<Blocker> blockedBy,
        Optional<CallSite> callSite) {}
