package dev.lockstep.redis;

/** Locks that are kept together, with a memory and a sequence of tokens of their own; on a single server there is one. */
record Partition(PartitionKeys keys, Life life) {
    /** What every script is told first, and then what this one is told. */
    String[] arguments(String... more) {
        String[] arguments = new String[2 + more.length];
        arguments[0] = life.terms();
        arguments[1] = life.greatest();
        System.arraycopy(more, 0, arguments, 2, more.length);
        return arguments;
    }
}
