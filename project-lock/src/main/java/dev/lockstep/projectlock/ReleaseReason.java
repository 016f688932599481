package dev.lockstep.projectlock;

/** Why a project lease is given back. */
public enum ReleaseReason {
    /** The work is done. */
    COMPLETED,
    /** The work was called off. */
    ABORTED,
    /** The lease has run out. */
    EXPIRED
}
