package dev.lockstep.chaos;

import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** How a lease is asked for and used. */
enum LeaseUse {
    /** Most of them: over in a moment. */
    BRIEF,
    /** Held for longer than its term, so that it has to be renewed. */
    RENEWED,
    /** With its own term, closed before or after its end. */
    TERM,
    /** With its own term, and kept until it is lost. */
    UNTIL_LOST,
    /** Asked for without blocking. */
    ASYNC;

    private static final Duration FOR_EVER = Duration.ofHours(1);

    static LeaseUse any(Random random) {
        int chance = random.nextInt(100);
        return chance < 67 ? BRIEF : chance < 87 ? ASYNC : chance < 92 ? TERM : chance < 97 ? RENEWED : UNTIL_LOST;
    }

    boolean isAsync() {
        return this == ASYNC;
    }

    /** Null for a lease that is renewed by itself. */
    @Nullable
    Duration term(Duration usual, Random random) {
        return this == TERM || this == UNTIL_LOST
                ? part(usual.dividedBy(2), random).plusMillis(100)
                : null;
    }

    /** How long the lease is used, if it isn't lost before. */
    Duration hold(Duration usual, Random random) {
        return switch (this) {
            case BRIEF, ASYNC -> Duration.ofMillis(1 + random.nextInt(20));
            case RENEWED -> part(usual.plus(usual.dividedBy(2)), random);
            case TERM -> part(usual.dividedBy(2), random);
            case UNTIL_LOST -> FOR_EVER;
        };
    }

    private static Duration part(Duration whole, Random random) {
        return Duration.ofMillis(1 + random.nextInt((int) whole.toMillis()));
    }
}
