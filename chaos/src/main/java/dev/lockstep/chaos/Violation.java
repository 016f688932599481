package dev.lockstep.chaos;

/**
 * Something that should never have happened.
 *
 * @param rule what is broken, in a word
 * @param text what happened, with the lines concerned
 */
record Violation(String rule, String text) {
    @Override
    public String toString() {
        return rule + ": " + text;
    }
}
