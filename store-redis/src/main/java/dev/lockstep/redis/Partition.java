package dev.lockstep.redis;

import dev.lockstep.redis.connection.PartitionKeys;

/** Locks that are kept together, with a memory and a sequence of tokens of their own; on a single server there is one. */
record Partition(PartitionKeys keys, NamespaceGeneration generation) {
    /** The arguments of every script, and then those of this one. */
    String[] arguments(String... more) {
        String[] arguments = new String[2 + more.length];
        arguments[0] = generation.terms();
        arguments[1] = generation.greatest();
        System.arraycopy(more, 0, arguments, 2, more.length);
        return arguments;
    }
}
