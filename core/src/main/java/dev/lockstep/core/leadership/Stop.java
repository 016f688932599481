package dev.lockstep.core.leadership;

import dev.lockstep.core.Loss;
import java.util.Optional;

/**
 * The end of a term.
 *
 * @param term the term that ended; it is not held any more, or about to be released
 * @param reason why
 * @param loss how the lease was lost; empty unless the reason is {@link Reason#LOST}
 */
public record Stop(Term term, Reason reason, Optional<Loss> loss) {
    /** The ways in which a term ends. */
    public enum Reason {
        /** The lease was lost: another candidate may lead already. */
        LOST,
        /** The leader resigned. */
        RESIGNED,
        /** The leadership was closed. */
        CLOSED
    }
}
