package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.FallbackState;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.fallback.FallbackStore;
import java.time.Duration;

/**
 * Waits for the switch where the main store is away when an application starts: kinds are declared to the store in use, so that one must be
 * there. It may be that no other process runs that could have switched before.
 */
final class FirstTurn {
    private static final Duration LEEWAY = Duration.ofSeconds(10);
    private static final long LOOK_AGAIN_MILLIS = 50;

    private FirstTurn() {}

    static void await(FallbackStore pair, Duration unavailableAfter) {
        Deadline end = Deadline.in(unavailableAfter.plus(LEEWAY), LockClock.system());
        boolean goesOn = true;
        while (goesOn && isAway(pair.state()) && !end.passed()) {
            goesOn = isRested();
        }
    }

    private static boolean isAway(FallbackState state) {
        return !state.onSecondary() && !state.primaryReachable();
    }

    private static boolean isRested() {
        try {
            Thread.sleep(LOOK_AGAIN_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
