package dev.lockstep.core;

import java.util.List;

/** The request was part of a cycle of waits and was failed to end it. Nothing of it is held. */
public final class DeadlockException extends LockException {
    private static final long serialVersionUID = 1L;

    private final transient DeadlockReport report;

    /** Reports the whole cycle. */
    public DeadlockException(DeadlockReport report, List<LockKey> keys) {
        super(
                ErrorCode.DEADLOCK,
                "Deadlock: these requests wait for one another:\n" + report
                        + "\nTake all of these locks in one call, or in the order of their ranks.",
                keys,
                null);
        this.report = report;
    }

    /** Owners, keys, modes and call sites of the cycle. */
    public DeadlockReport report() {
        return report;
    }
}
