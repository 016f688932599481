package dev.lockstep.core.fallback;

import dev.lockstep.core.InvalidRequestException;
import java.time.Duration;
import java.util.Optional;

/** The settings of a pair. */
record FallbackOptions(
        String name,
        Duration epochTerm,
        Duration longestTerm,
        Duration unavailableAfter,
        Duration returnAfter,
        WithoutSecondary withoutSecondary,
        Optional<String> primary) {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int LONGEST_NAME = 64;

    static final FallbackOptions DEFAULT = new FallbackOptions(
            "default",
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            WithoutSecondary.STOP,
            Optional.empty());

    FallbackOptions {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new InvalidRequestException(
                    "A pair is named '" + name + "'. Give a name of 1 to " + LONGEST_NAME + " characters.");
        }
        if (primary.isPresent() && (primary.get().isBlank() || primary.get().length() > LONGEST_NAME)) {
            throw new InvalidRequestException("A primary is named '" + primary.get() + "'. Give a name of 1 to "
                    + LONGEST_NAME + " characters, the same in all processes, such as \"redis-orders\".");
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

    FallbackOptions named(String other) {
        return new FallbackOptions(
                other, epochTerm, longestTerm, unavailableAfter, returnAfter, withoutSecondary, primary);
    }

    FallbackOptions epochTerm(Duration term) {
        return new FallbackOptions(name, term, longestTerm, unavailableAfter, returnAfter, withoutSecondary, primary);
    }

    FallbackOptions longestTerm(Duration term) {
        return new FallbackOptions(name, epochTerm, term, unavailableAfter, returnAfter, withoutSecondary, primary);
    }

    FallbackOptions unavailableAfter(Duration time) {
        return new FallbackOptions(name, epochTerm, longestTerm, time, returnAfter, withoutSecondary, primary);
    }

    FallbackOptions returnAfter(Duration time) {
        return new FallbackOptions(name, epochTerm, longestTerm, unavailableAfter, time, withoutSecondary, primary);
    }

    FallbackOptions withoutSecondary(WithoutSecondary rule) {
        return new FallbackOptions(name, epochTerm, longestTerm, unavailableAfter, returnAfter, rule, primary);
    }

    FallbackOptions primary(String other) {
        return new FallbackOptions(
                name, epochTerm, longestTerm, unavailableAfter, returnAfter, withoutSecondary, Optional.of(other));
    }

    /** How long nothing is granted after a switch: until no process counts on the epoch before, and no lease of it is left. */
    Duration quiet() {
        return epochTerm.plus(longestTerm);
    }

    /** What all processes must agree on, for the register. */
    String terms(String stores, Optional<String> address) {
        return "stores " + stores
                + primary.or(() -> address).map(where -> ", primary " + where).orElse("") + ", epochTerm "
                + epochTerm.toMillis() + " ms, longestTerm " + longestTerm.toMillis() + " ms, " + withoutSecondary;
    }
}
