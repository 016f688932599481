package dev.lockstep.core;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a lease was lost. */
public final class Loss {
    /** The ways to lose a lease. */
    public enum Reason {
        /** Its term passed without a renewal. */
        EXPIRED("its term has expired"),
        /** No renewal was confirmed before the holder's own deadline. */
        UNCONFIRMED("no renewal was confirmed in time"),
        /** The store no longer knows it. */
        REFUSED("the store no longer knows it"),
        /** It reached the longest time it may be held. */
        HELD_TOO_LONG("it reached the longest time it may be held"),
        /** It was closed by its holder, so it is not held any more. */
        CLOSED("it was closed"),
        /** Its {@link Locks} were closed while it was held. */
        SHUT_DOWN("its Locks were closed while it was held"),
        /** A lease it leaned on was lost. */
        OUTER_LOST("an outer lease it leans on is lost");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    private final Reason reason;
    private final @Nullable Throwable cause;

    Loss(Reason reason, @Nullable Throwable cause) {
        this.reason = reason;
        this.cause = cause;
    }

    /** What happened. */
    public Reason reason() {
        return reason;
    }

    /** The last failure of a renewal, when there was one. */
    public Optional<Throwable> cause() {
        return Optional.ofNullable(cause);
    }

    String text() {
        return cause == null ? reason.text : reason.text + " (" + cause + ")";
    }

    @Override
    public String toString() {
        return reason + ": " + text();
    }
}
