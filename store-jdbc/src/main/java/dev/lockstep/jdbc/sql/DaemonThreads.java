package dev.lockstep.jdbc.sql;

/** Threads that do not keep the JVM running. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** A new thread, not started yet. */
    public static Thread create(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
