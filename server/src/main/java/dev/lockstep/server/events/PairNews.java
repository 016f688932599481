package dev.lockstep.server.events;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockEvent.SecondaryFound;
import dev.lockstep.core.LockEvent.SecondaryLost;
import dev.lockstep.core.LockEvent.SwitchCompleted;
import dev.lockstep.core.LockEvent.Switched;
import dev.lockstep.core.fallback.FallbackState;
import java.util.Optional;

/** Events of a pair of stores in plain words. */
final class PairNews {
    private PairNews() {}

    static Optional<EventType> type(LockEvent event) {
        if (event instanceof Switched switched) {
            return Optional.of(switched.state().onSecondary() ? EventType.SWITCH_TO_FALLBACK : EventType.SWITCH_BACK);
        }
        if (event instanceof SwitchCompleted) {
            return Optional.of(EventType.SWITCH_COMPLETED);
        }
        if (event instanceof SecondaryLost) {
            return Optional.of(EventType.SECONDARY_LOST);
        }
        return event instanceof SecondaryFound ? Optional.of(EventType.SECONDARY_FOUND) : Optional.empty();
    }

    static Optional<News> of(LockEvent event) {
        return type(event).map(type -> News.of(type, event.at(), words(event)));
    }

    private static String words(LockEvent event) {
        if (event instanceof Switched switched) {
            return moved(switched.state(), switched.reason());
        }
        if (event instanceof SwitchCompleted completed) {
            FallbackState state = completed.state();
            return state.active() + " grants locks from now on, in epoch " + state.epoch();
        }
        if (event instanceof SecondaryLost lost) {
            return lost.state().secondary() + ", the fallback, doesn't answer: " + sentence(lost.reason());
        }
        return ((SecondaryFound) event).state().secondary() + ", the fallback, answers again";
    }

    private static String moved(FallbackState state, String reason) {
        String where = state.onSecondary() ? "Locks move to " + state.active() : "Locks go back to " + state.active();
        long seconds = (state.quietFor().toMillis() + 999) / 1_000;
        return where + " in epoch " + state.epoch() + ": " + sentence(reason) + ". Nothing is granted for up to "
                + seconds + " s, until all earlier leases have expired";
    }

    private static String sentence(String reason) {
        return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
    }
}
