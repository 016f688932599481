package dev.lockstep.core.fallback;

import java.time.Duration;

/**
 * Which store of a pair is in use, as one process knows it.
 *
 * @param primary the name of the store that is used as long as it can be reached
 * @param secondary the name of the store that stands in for it
 * @param onSecondary whether the secondary is the one in use
 * @param epoch the number that rises with each switch, the first part of every token
 * @param grants whether locks are granted, and if not, why
 * @param quietFor how long nothing will be granted yet, at most, after a switch; zero if that has ended
 * @param primaryReachable whether the primary answered when it was last asked
 * @param secondaryReachable whether the secondary answered when it was last asked
 */
public record FallbackState(
        String primary,
        String secondary,
        boolean onSecondary,
        long epoch,
        Grants grants,
        Duration quietFor,
        boolean primaryReachable,
        boolean secondaryReachable) {
    /** Whether locks are granted. */
    public enum Grants {
        /** They can. */
        YES,
        /** They can, but without word from the secondary: another process may have switched, and only tokens show a stale holder. */
        FENCED,
        /** Not yet: after a switch everything that the other store granted must have ended first. */
        QUIET,
        /** No: the secondary, which says whose turn it is, doesn't answer, or what it says can't be right. */
        STOPPED;

        /** Whether a free lock is granted. */
        public boolean isGranting() {
            return this == YES || this == FENCED;
        }
    }

    /** The name of the store in use. */
    public String active() {
        return onSecondary ? secondary : primary;
    }
}
