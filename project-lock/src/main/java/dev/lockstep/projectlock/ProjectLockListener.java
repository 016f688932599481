package dev.lockstep.projectlock;

/** Is told what happens to a project lock, on a thread of its own. */
@FunctionalInterface
public interface ProjectLockListener {
    /** Something happened. */
    void on(ProjectLockEvent event);
}
