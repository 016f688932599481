package dev.lockstep.redis.connection;

import dev.lockstep.core.InvalidRequestException;
import java.util.regex.Pattern;

/**
 * A part of Redis that is kept apart from all others.
 *
 * @param name as users write it
 */
public record Namespace(String name) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public Namespace {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidRequestException(
                    "The namespace '" + name
                            + "' can't be part of Redis keys. Write 1 to 64 letters, digits, '.', '_' or '-', such as 'orders'.");
        }
    }

    /** Its keys on a single server. */
    public PartitionKeys keys() {
        return new PartitionKeys("lockstep:{" + name + "}");
    }

    /** The keys of one of its partitions in a cluster. Names have no colon, so these are its own. */
    public PartitionKeys keys(int partition) {
        return new PartitionKeys(partitionPrefix() + partition + "}");
    }

    /** What the keys of all partitions begin with. */
    public String partitionPrefix() {
        return "lockstep:{" + name + ":";
    }

    public String memory() {
        return keys().memory();
    }
}
