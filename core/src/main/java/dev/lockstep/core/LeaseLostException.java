package dev.lockstep.core;

/** The lease is no longer held, so another holder may have its locks. */
public final class LeaseLostException extends LockException {
    private static final long serialVersionUID = 1L;

    private final transient Loss loss;

    LeaseLostException(Lease lease, Loss loss) {
        this(
                describe(lease) + " is lost: " + loss.text()
                        + ". Stop the work it protected; what was written since must carry its token "
                        + lease.token() + " past a fencing check.",
                lease,
                loss);
    }

    private LeaseLostException(String message, Lease lease, Loss loss) {
        super(ErrorCode.LEASE_LOST, message, lease.keys(), loss.cause().orElse(null));
        this.loss = loss;
    }

    /** For a task that is bound to a lease that has ended, or a request made through it. */
    static LeaseLostException ofChild(Lease lease, Loss loss) {
        return new LeaseLostException(
                describe(lease) + " has ended: " + loss.text()
                        + ". Nothing was acquired. Run what is bound to a lease, and make requests through it, before it ends.",
                lease,
                loss);
    }

    private static String describe(Lease lease) {
        return "Lease " + lease.id() + " of '" + lease.owner() + "' on " + lease.keys();
    }

    /** Why it was lost. */
    public Loss loss() {
        return loss;
    }
}
