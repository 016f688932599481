package dev.lockstep.core;

/** The lease is no longer held, so what it protected may be in someone else's hands. */
public final class LeaseLostException extends LockException {
    private static final long serialVersionUID = 1L;

    private final transient Loss loss;

    LeaseLostException(Lease lease, Loss loss) {
        super(
                ErrorCode.LEASE_LOST,
                "Lease " + lease.id() + " of '" + lease.owner() + "' on " + lease.keys() + " is lost: " + loss.text()
                        + ". Stop the work it protected; what was written since must carry its token "
                        + lease.token() + " past a fencing check.",
                lease.keys(),
                loss.cause().orElse(null));
        this.loss = loss;
    }

    /** Why it was lost. */
    public Loss loss() {
        return loss;
    }
}
