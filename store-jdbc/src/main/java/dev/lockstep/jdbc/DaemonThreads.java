package dev.lockstep.jdbc;

/** Threads that do not keep the JVM running. */
final class DaemonThreads {
    private DaemonThreads() {}

    /** A new thread, not started yet. */
    static Thread create(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
