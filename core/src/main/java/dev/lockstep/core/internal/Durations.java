package dev.lockstep.core.internal;

import dev.lockstep.core.InvalidRequestException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks durations before they can do damage. */
public final class Durations {
    /** Longer ones are refused or shortened. */
    public static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /** The duration, or the longest one that is possible. */
    public static Duration atMostLongest(String what, @Nullable Duration duration) {
        if (duration == null || duration.isNegative()) {
            throw new InvalidRequestException(what + " is " + duration + ". Give zero or more.");
        }
        return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    }

    /** The duration, if it is zero or more and not too long. */
    public static Duration requireNotNegative(String what, @Nullable Duration duration) {
        return duration != null && duration.isZero()
                ? duration
                : requirePositive(what, duration, "Give zero or more, such as Duration.ofSeconds(30).");
    }

    /** The duration, if it is positive and not too long; {@code instead} says what to give. */
    public static Duration requirePositive(String what, @Nullable Duration duration, String instead) {
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
