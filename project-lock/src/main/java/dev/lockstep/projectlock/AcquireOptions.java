package dev.lockstep.projectlock;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.RetryPolicy;
import java.time.Duration;

/**
 * How an acquire waits.
 *
 * @param maxWait how long it waits in all; zero for a single attempt
 * @param retry the pauses between attempts
 * @param abort calls the wait off
 */
public record AcquireOptions(Duration maxWait, RetryPolicy retry, AbortSignal abort) {
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final RetryPolicy RETRY = RetryPolicy.exponential(Duration.ofMillis(200), 2, Duration.ofSeconds(5));

    /** Checks the wait. */
    public AcquireOptions {
        if (maxWait.isNegative() || maxWait.compareTo(Duration.ofDays(365)) > 0) {
            throw new InvalidRequestException(
                    "The longest wait is " + maxWait + ". Give zero for a single attempt, or up to 365 days.");
        }
    }

    /** 5 seconds at most, with pauses from 200 ms, doubled up to 5 seconds. */
    public static AcquireOptions defaults() {
        return new AcquireOptions(MAX_WAIT, RETRY, new AbortSignal());
    }

    /** The same, waiting this long at most. */
    public AcquireOptions within(Duration wait) {
        return new AcquireOptions(wait, retry, abort);
    }

    /** The same, with these pauses. */
    public AcquireOptions retrying(RetryPolicy policy) {
        return new AcquireOptions(maxWait, policy, abort);
    }

    /** The same, cancelled by this signal. */
    public AcquireOptions abortedBy(AbortSignal signal) {
        return new AcquireOptions(maxWait, retry, signal);
    }
}
