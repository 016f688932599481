package dev.lockstep.projectlock;

/** Receives the events of a project lock, on its own thread. */
@FunctionalInterface
public interface ProjectLockListener {
    /** Something happened. */
    void on(ProjectLockEvent event);
}
