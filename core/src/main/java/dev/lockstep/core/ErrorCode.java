package dev.lockstep.core;

/** What went wrong, for code to decide on. The text form is stable and used in HTTP answers and logs. */
public enum ErrorCode {
    /** The wait ended before the lock could be acquired. */
    TIMEOUT("lock-timeout", true),
    /** The waiting thread was interrupted. */
    INTERRUPTED("interrupted", false),
    /** The wait was cancelled. */
    ABORTED("aborted", false),
    /** The request would have taken locks against the global order. */
    ORDER_VIOLATION("order-violation", false),
    /** The request was failed to end a cycle of waits. */
    DEADLOCK("deadlock", true),
    /** The lease was no longer held. */
    LEASE_LOST("lease-lost", false),
    /** A write carried an older fencing token than one seen before. */
    STALE_TOKEN("stale-token", false),
    /** A transaction met a concurrent one and must be run again. */
    CONFLICT("conflict", true),
    /** The request itself is wrong. */
    INVALID_REQUEST("invalid-request", false),
    /** A kind was declared differently before. */
    KIND_MISMATCH("kind-mismatch", false),
    /** The store can't be reached now. */
    STORE_UNAVAILABLE("store-unavailable", true),
    /** The store answered with an error. */
    STORE_FAILED("store-failed", false),
    /** The {@link Locks} were closed. */
    CLOSED("closed", false);

    private final String text;
    private final boolean retryable;

    ErrorCode(String text, boolean retryable) {
        this.text = text;
        this.retryable = retryable;
    }

    /** The stable text form, such as {@code lock-timeout}. */
    public String text() {
        return text;
    }

    /** Whether the same call may succeed later without a change. */
    public boolean retryable() {
        return retryable;
    }
}
