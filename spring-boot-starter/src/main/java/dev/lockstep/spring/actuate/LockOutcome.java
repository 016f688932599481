package dev.lockstep.spring.actuate;

import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.OrderViolationException;
import java.util.Locale;

/** How a request for locks ended, as meters and traces name it. */
public enum LockOutcome {
    /** The locks were acquired. */
    GRANTED,
    /** The locks were unavailable, and the request doesn't wait. */
    REFUSED,
    /** The wait ended before they could be acquired. */
    TIMEOUT,
    /** It was failed to end a deadlock. */
    DEADLOCK,
    /** It went against the order. */
    VIOLATION,
    /** The store failed, or the wait was cancelled. */
    FAILED;

    /** The outcome of a request that ended so. */
    public static LockOutcome of(Throwable error) {
        if (error instanceof LockTimeoutException) {
            return TIMEOUT;
        }
        if (error instanceof DeadlockException) {
            return DEADLOCK;
        }
        return error instanceof OrderViolationException ? VIOLATION : FAILED;
    }

    /** The value of the tag {@code outcome}, such as {@code granted}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
