package dev.lockstep.core.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The options of a request; null for those that the request leaves open. */
public record RequestOptions(
        @Nullable Duration longestWait,
        @Nullable Duration term,
        @Nullable Duration atMost,
        @Nullable String owner,
        boolean interruptOnLoss,
        boolean uninterruptible) {
    /** The options of a request that leaves all of them open. */
    public static final RequestOptions DEFAULTS = new RequestOptions(null, null, null, null, false, false);

    /** The same with another time to wait. */
    public RequestOptions withLongestWait(Duration wait) {
        return new RequestOptions(wait, term, atMost, owner, interruptOnLoss, uninterruptible);
    }

    /** The same with a fixed term. */
    public RequestOptions withTerm(Duration fixed) {
        return new RequestOptions(longestWait, fixed, atMost, owner, interruptOnLoss, uninterruptible);
    }

    /** The same with a longest hold. */
    public RequestOptions withAtMost(Duration longest) {
        return new RequestOptions(longestWait, term, longest, owner, interruptOnLoss, uninterruptible);
    }

    /** The same with another owner. */
    public RequestOptions withOwner(String label) {
        return new RequestOptions(longestWait, term, atMost, label, interruptOnLoss, uninterruptible);
    }

    /** The same with other rules for interrupts. */
    public RequestOptions withInterrupts(boolean onLoss, boolean never) {
        return new RequestOptions(longestWait, term, atMost, owner, onLoss, never);
    }
}
