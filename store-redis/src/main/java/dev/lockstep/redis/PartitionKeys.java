package dev.lockstep.redis;

import io.lettuce.core.cluster.SlotHash;

/**
 * The names of the keys of one partition. They share one hash tag, so that a cluster keeps them together.
 *
 * @param memory the key of what the partition knows of itself; every other key begins with it
 */
record PartitionKeys(String memory) {
    String leases() {
        return memory + ":leases";
    }

    String kinds() {
        return memory + ":kinds";
    }

    /** The channel on which one process is told to look again. */
    String wakeChannel(String process) {
        return memory + ":wake:" + process;
    }

    /** Where a cluster keeps them. */
    int slot() {
        return SlotHash.getSlot(memory);
    }
}
