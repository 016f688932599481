package dev.lockstep.core.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The requested length of a lease: its term, whether it is renewed, and for how long it is held at most. */
public record TermRule(Duration term, long nanos, boolean renews, long longestNanos) {
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    /** The rule for leases of this term. */
    public static TermRule of(Duration term, boolean renews, @Nullable Duration longestHold) {
        long longest = longestHold == null ? ENDLESS : longestHold.toNanos();
        long nanos = Math.min(term.toNanos(), LeaseTerm.withMargin(longest));
        return new TermRule(Duration.ofNanos(nanos), nanos, renews, longest);
    }
}
