package dev.lockstep.cli.verify;

import java.util.Locale;

/** What became of a trial of a {@link Behaviour}. */
public sealed interface TrialOutcome {
    /**
     * It is as it should be.
     *
     * @param seen what was seen, with numbers where there are any
     */
    record Passed(String seen) implements TrialOutcome {}

    /**
     * Locks work, but something around them doesn't show or do all it could.
     *
     * @param seen what was seen
     * @param advice what to do about it
     */
    record Doubtful(String seen, String advice) implements TrialOutcome {}

    /**
     * It is not as it should be.
     *
     * @param expected what should have been seen
     * @param seen what was seen instead
     * @param meaning how to read it
     */
    record Failed(String expected, String seen, String meaning) implements TrialOutcome {}

    /** It was not tried. */
    record Skipped(String reason) implements TrialOutcome {}

    /**
     * This store has no such behaviour, so there is nothing to prove.
     *
     * @param reason why, and what the store does instead
     */
    record Inapplicable(String reason) implements TrialOutcome {}

    /** The outcome's name in machine-readable reports. */
    default String name() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
