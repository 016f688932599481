package dev.lockstep.redis;

import dev.lockstep.core.InvalidRequestException;
import java.util.regex.Pattern;

/**
 * A part of the server that is kept apart from all others. Its keys share one hash tag, so that a cluster keeps them together.
 *
 * @param name as users write it
 */
record Namespace(String name) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    Namespace {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidRequestException(
                    "The namespace '" + name
                            + "' can't be part of Redis keys. Write 1 to 64 letters, digits, '.', '_' or '-', such as 'orders'.");
        }
    }

    /** The key of the namespace's memory; every other key of the namespace begins with it. */
    String memory() {
        return "lockstep:{" + name + "}";
    }

    String leases() {
        return memory() + ":leases";
    }

    String kinds() {
        return memory() + ":kinds";
    }

    /** The channel on which one process is told to look again. */
    String wakeChannel(String process) {
        return memory() + ":wake:" + process;
    }
}
