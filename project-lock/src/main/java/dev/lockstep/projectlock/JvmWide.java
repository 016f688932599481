package dev.lockstep.projectlock;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What all copies of this class in one JVM must agree on, whatever class loaders they come from: an operating system's lock
 * belongs to the process, and closing any channel of its file gives it away. So it lives in the system properties, which
 * are one for all, and is made of the JDK's own classes.
 */
final class JvmWide {
    private static final String PROPERTY = "dev.lockstep.projectlock";

    private JvmWide() {}

    @SuppressWarnings("unchecked") // nobody else uses this name
    private static ConcurrentMap<String, Object> map() {
        return (ConcurrentMap<String, Object>)
                System.getProperties().computeIfAbsent(PROPERTY, any -> new ConcurrentHashMap<String, Object>());
    }

    /** The mutex of a project directory, by its key. */
    static ReentrantLock mutex(String directory) {
        return (ReentrantLock) map().computeIfAbsent("mutex " + directory, any -> new ReentrantLock());
    }

    /** Remembers that this JVM holds the lock of a file, by its key. */
    static void held(String file) {
        map().put("held " + file, true);
    }

    static void released(String file) {
        map().remove("held " + file);
    }

    static boolean isHeld(String file) {
        return map().containsKey("held " + file);
    }
}
