package dev.lockstep.core.fallback;

/** Hears what becomes of the epoch, on the thread that learned it. */
interface EpochListener {
    void switched(String reason);

    void opened();

    void secondaryLost(Exception why);

    void secondaryFound();

    /** Nothing is granted any more. */
    void refused(String why);
}
