package dev.lockstep.cli.verify;

/**
 * One thing that locks must do on every store.
 *
 * @param id the requirement, with a number where it has several behaviours, such as {@code H4.1}
 * @param title what is tried
 * @param expected what must be seen
 */
public record Behaviour(String id, String title, String expected, Trial trial) {
    /** Tries it. */
    @FunctionalInterface
    interface Trial {
        /** Returns what was seen; throws a {@link Mismatch} when that is not what is expected. */
        TrialOutcome run(Stage stage) throws Exception;
    }

    /** Whether {@code --only} means it: by its id, or by the requirement that the id begins with. */
    boolean isMeantBy(String name) {
        return id.equalsIgnoreCase(name) || id.regionMatches(true, 0, name + ".", 0, name.length() + 1);
    }
}
