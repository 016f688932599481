package dev.lockstep.redis;

import dev.lockstep.core.spi.LockPlan;
import java.util.UUID;

/**
 * What a lease is made of on the servers: a run of its locks that one partition keeps. The first slice has the id of the lease, others
 * have a number behind it.
 */
record Slice(String id, Partition partition, LockPlan plan) {
    private static final int UUID_LENGTH = 36;

    static String id(String lease, int number) {
        return number == 0 ? lease : lease + "/" + number;
    }

    /** The lease that a slice belongs to. */
    static String leaseOf(String id) {
        return id.length() <= UUID_LENGTH ? id : id.substring(0, UUID_LENGTH);
    }

    static UUID leaseIdOf(String id) {
        return UUID.fromString(leaseOf(id));
    }
}
