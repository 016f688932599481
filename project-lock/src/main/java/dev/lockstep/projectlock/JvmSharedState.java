package dev.lockstep.projectlock;

import java.util.UUID;

/**
 * What all copies of this class in one JVM must agree on, whatever class loaders they come from: an operating system's lock
 * belongs to the process, and closing any channel of its file gives it away. So it is in the system properties, which are one
 * for all, as strings, which everyone who reads those expects.
 */
final class JvmSharedState {
    private static final String PREFIX = "dev.lockstep.projectlock.";

    private JvmSharedState() {}

    /** Marks something in this JVM as taken; returns whether it was not. */
    static boolean take(String what, UUID by) {
        return System.getProperties().putIfAbsent(PREFIX + what, by.toString()) == null;
    }

    static boolean isTaken(String what) {
        return System.getProperties().containsKey(PREFIX + what);
    }

    /** Takes the mark away again, if it is this one's. */
    static void free(String what, UUID by) {
        System.getProperties().remove(PREFIX + what, by.toString());
    }
}
