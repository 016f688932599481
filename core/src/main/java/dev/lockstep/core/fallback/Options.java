package dev.lockstep.core.fallback;

import dev.lockstep.core.InvalidRequestException;
import java.time.Duration;

/** The settings of a pair. */
record Options(
        String name,
        Duration epochTerm,
        Duration longestTerm,
        Duration unavailableAfter,
        Duration returnAfter,
        WithoutSecondary withoutSecondary) {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int LONGEST_NAME = 64;

    static final Options DEFAULT = new Options(
            "default",
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            WithoutSecondary.STOP);

    Options {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new InvalidRequestException(
                    "A pair is named '" + name + "'. Give a name of 1 to " + LONGEST_NAME + " characters.");
        }
        check("epochTerm", epochTerm);
        check("longestTerm", longestTerm);
        check("unavailableAfter", unavailableAfter);
        check("returnAfter", returnAfter);
    }

    private static void check(String option, Duration value) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            throw new InvalidRequestException(option + "(" + value + ") can't be. Give " + SHORTEST.toMillis()
                    + " ms to " + LONGEST.toHours() + " hours.");
        }
    }

    Options named(String other) {
        return new Options(other, epochTerm, longestTerm, unavailableAfter, returnAfter, withoutSecondary);
    }

    Options epochTerm(Duration term) {
        return new Options(name, term, longestTerm, unavailableAfter, returnAfter, withoutSecondary);
    }

    Options longestTerm(Duration term) {
        return new Options(name, epochTerm, term, unavailableAfter, returnAfter, withoutSecondary);
    }

    Options unavailableAfter(Duration time) {
        return new Options(name, epochTerm, longestTerm, time, returnAfter, withoutSecondary);
    }

    Options returnAfter(Duration time) {
        return new Options(name, epochTerm, longestTerm, unavailableAfter, time, withoutSecondary);
    }

    Options withoutSecondary(WithoutSecondary rule) {
        return new Options(name, epochTerm, longestTerm, unavailableAfter, returnAfter, rule);
    }

    /** How long nothing is granted after a switch: until no process counts on the epoch before, and no lease of it is left. */
    Duration quiet() {
        return epochTerm.plus(longestTerm);
    }

    /** What all processes must agree on, for the register. */
    String terms(String stores) {
        return "stores " + stores + ", epochTerm " + epochTerm.toMillis() + " ms, longestTerm " + longestTerm.toMillis()
                + " ms, " + withoutSecondary;
    }
}
