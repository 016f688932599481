package dev.lockstep.projectlock;

import dev.lockstep.core.ErrorCode;
import org.slf4j.event.Level;

/** What went wrong with a project lock: the stable text, whether another try may help, and how loud the log is. */
public enum ProjectLockFailure {
    /** The operating system's locks don't work here. */
    PRIMARY_UNAVAILABLE("primary-unavailable", true, Level.WARN, ErrorCode.STORE_UNAVAILABLE),
    /** The wait was cancelled, or its thread interrupted. */
    ABORTED("aborted", false, Level.INFO, ErrorCode.ABORTED),
    /** The lease file can't be created. */
    FALLBACK_OPEN_FAILED("fallback-open-failed", false, Level.ERROR, ErrorCode.STORE_FAILED),
    /** The lease file can't be read, or holds no lease. */
    FALLBACK_READ_FAILED("fallback-read-failed", true, Level.WARN, ErrorCode.STORE_UNAVAILABLE),
    /** The lease file can't be written or deleted. */
    FALLBACK_WRITE_FAILED("fallback-write-failed", true, Level.ERROR, ErrorCode.STORE_UNAVAILABLE),
    /** The lease is not the one that is held, or something is held already. */
    LEASE_MISMATCH("lease-mismatch", false, Level.ERROR, ErrorCode.INVALID_REQUEST),
    /** The lease has run out. */
    LEASE_EXPIRED("lease-expired", false, Level.WARN, ErrorCode.LEASE_LOST),
    /** The wait ended while another holder held the project. */
    ACQUIRE_TIMEOUT("acquire-timeout", true, Level.WARN, ErrorCode.TIMEOUT);

    private final String text;
    private final boolean retryable;
    private final Level level;
    private final ErrorCode code;

    ProjectLockFailure(String text, boolean retryable, Level level, ErrorCode code) {
        this.text = text;
        this.retryable = retryable;
        this.level = level;
        this.code = code;
    }

    /** The stable text form, such as {@code lease-expired}. */
    public String text() {
        return text;
    }

    /** Whether the same call may succeed later without a change. */
    public boolean retryable() {
        return retryable;
    }

    /** How it is logged. */
    Level level() {
        return level;
    }

    /** The nearest of the codes that all of Lockstep's errors have. */
    ErrorCode code() {
        return code;
    }
}
