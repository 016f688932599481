package dev.lockstep.core.fallback;

/** Hears what becomes of the epoch, on the thread that learned it. */
interface TurnListener {
    void switched(String reason);

    void opened();

    void secondaryLost(Exception why);

    void secondaryFound();

    /** Nothing is granted any more. */
    void refused(String why);
}
