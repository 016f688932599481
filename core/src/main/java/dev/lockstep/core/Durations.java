package dev.lockstep.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks durations before they can do damage. */
final class Durations {
    static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /** The duration, or the longest one that is possible. */
    static Duration atMostLongest(String what, @Nullable Duration duration) {
        if (duration == null || duration.isNegative()) {
            throw new InvalidRequestException(what + " is " + duration + ". Give zero or more.");
        }
        return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    }

    static Duration requirePositive(String what, @Nullable Duration duration, String instead) {
        if (duration == null || duration.isZero() || duration.isNegative()) {
            throw new InvalidRequestException(what + " is " + duration + ". " + instead);
        }
        if (duration.compareTo(LONGEST) > 0) {
            throw new InvalidRequestException(
                    what + " is " + duration + ". Give at most " + LONGEST.toDays() + " days.");
        }
        return duration;
    }
}
