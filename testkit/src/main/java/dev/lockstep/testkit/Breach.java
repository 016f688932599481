package dev.lockstep.testkit;

/** A way in which a {@link FaultyStore} breaks the contract of stores without noticing it, for tests of what should notice. */
public enum Breach {
    /** Forgets a grant as soon as it was given: the next one is served at once, and two hold. */
    FORGETS_GRANTS,
    /** Takes everything shared, so that nothing is excluded. */
    TAKES_EXCLUSIVE_AS_SHARED,
    /** Takes everything exclusively, ancestors too: things that only stand side by side wait for each other. */
    TAKES_SHARED_AS_EXCLUSIVE,
    /** Leaves out the intents on the ancestors, so that the whole and its parts don't meet. */
    IGNORES_ANCESTORS,
    /** Says that it released, and keeps the locks until their term has expired. */
    KEEPS_WHAT_IS_RELEASED,
    /** Keeps what a set had already when the rest of it could not be acquired in time. */
    KEEPS_PARTS_OF_SETS,
    /** Takes the locks of a set in any order, one after the other. */
    TAKES_SETS_IN_ANY_ORDER,
    /** Gives every grant the same token. */
    REPEATS_TOKENS,
    /** Never ends a lease by itself. */
    IGNORES_TERMS,
    /** Shows no holders and waiters. */
    SHOWS_NOTHING
}
