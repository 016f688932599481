package dev.lockstep.cli;

import dev.lockstep.core.InvalidRequestException;
import java.time.Duration;

/** Times on the command line, in seconds. */
final class Seconds {
    private static final double MOST = 86_400 * 365.0;

    private Seconds() {}

    /** Zero or more. */
    static Duration of(String option, double seconds) {
        if (!(seconds >= 0 && seconds <= MOST)) {
            throw new InvalidRequestException(
                    option + " is " + seconds + ". Give 0 seconds or more. Nothing was locked.");
        }
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }

    /** More than zero. */
    static Duration positive(String option, double seconds) {
        Duration time = of(option, seconds);
        if (time.isZero()) {
            throw new InvalidRequestException(
                    option + " is " + seconds + ". Give more than 0 seconds, such as 10. Nothing was locked.");
        }
        return time;
    }
}
