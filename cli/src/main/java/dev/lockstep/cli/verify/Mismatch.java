package dev.lockstep.cli.verify;

/** Ends a trial that saw something else than it should. */
final class Mismatch extends Exception {
    private static final long serialVersionUID = 1;

    private final String meaning;

    private Mismatch(String seen, String meaning) {
        super(seen);
        this.meaning = meaning;
    }

    /** Two hold at once what only one may. */
    static Mismatch notExcluded(String seen) {
        return new Mismatch(
                seen,
                "Two hold at once what only one may have: these locks don't exclude, and whatever relies on them can be"
                        + " written by two at a time. Don't use this store for locks before that is understood.");
    }

    /** Something is locked that should be free. */
    static Mismatch notFree(String seen) {
        return new Mismatch(
                seen,
                "Something is locked that should be free: nothing is written twice, but work waits without a holder, possibly forever.");
    }

    /** Something else. */
    static Mismatch of(String seen, String meaning) {
        return new Mismatch(seen, meaning);
    }

    TrialOutcome.Failed instead(String expected) {
        return new TrialOutcome.Failed(expected, String.valueOf(getMessage()), meaning);
    }
}
