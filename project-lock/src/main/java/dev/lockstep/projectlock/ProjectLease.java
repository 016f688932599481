package dev.lockstep.projectlock;

import dev.lockstep.core.FencingToken;
import java.time.Instant;
import java.util.UUID;

/**
 * A project that is held until a point in time.
 *
 * @param leaseId names this lease and no other
 * @param expiresAt until when it can be counted on, unless it is renewed before
 * @param source what it rests on
 * @param token rises with every grant of the project, so that a late write can be refused
 */
public record ProjectLease(UUID leaseId, Instant expiresAt, LeaseSource source, FencingToken token) {
    ProjectLease until(long expiresAtMillis) {
        return new ProjectLease(leaseId, Instant.ofEpochMilli(expiresAtMillis), source, token);
    }
}
