package dev.lockstep.redis.connection;

import io.lettuce.core.cluster.SlotHash;

/**
 * The names of the keys of one partition. They share one hash tag, so that a cluster keeps them together.
 *
 * @param memory the key of what the partition knows of itself; every other key begins with it
 */
public record PartitionKeys(String memory) {
    public String leases() {
        return memory + ":leases";
    }

    public String kinds() {
        return memory + ":kinds";
    }

    /** The channel on which one process is notified to look again. */
    public String wakeChannel(String process) {
        return memory + ":wake:" + process;
    }

    /** Where a cluster keeps them. */
    public int slot() {
        return SlotHash.getSlot(memory);
    }
}
