package dev.lockstep.projectlock;

/** The turn for a transaction did not come: others had theirs, or one stands still in the middle of it. */
public final class GuardBusyException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Names what was waited for. */
    public GuardBusyException(String guard) {
        super("No turn for a transaction on " + guard
                + ": another process is in the middle of one. If it stands still, continue or end it.");
    }
}
