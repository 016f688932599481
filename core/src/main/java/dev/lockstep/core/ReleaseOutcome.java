package dev.lockstep.core;

/** How a lease ended. */
public enum ReleaseOutcome {
    /** The locks were held until now and are released. */
    RELEASED,
    /** The lease was lost before. */
    LOST
}
