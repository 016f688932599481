package dev.lockstep.projectlock;

/** Why a project lease is released. */
public enum ReleaseReason {
    /** The work is done. */
    COMPLETED,
    /** The work was cancelled. */
    ABORTED,
    /** The lease has run out. */
    EXPIRED
}
