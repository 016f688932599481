package dev.lockstep.core.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What was asked about the length of a lease: for how long at a time, whether it renews itself, and for how long at most. */
public record TermRule(Duration term, long nanos, boolean renews, long longestNanos) {
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    /** The rule for leases of this term. */
    public static TermRule of(Duration term, boolean renews, @Nullable Duration longestHold) {
        long longest = longestHold == null ? ENDLESS : longestHold.toNanos();
        long nanos = Math.min(term.toNanos(), LeaseTerm.withMargin(longest));
        return new TermRule(Duration.ofNanos(nanos), nanos, renews, longest);
    }
}
