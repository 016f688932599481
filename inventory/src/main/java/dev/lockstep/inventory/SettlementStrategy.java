package dev.lockstep.inventory;

/** How works get to be settled. */
interface SettlementStrategy {
    /** Answers a work, on this thread, which may block. */
    void handle(Work work);

    /** Answers a work later, without blocking this thread. */
    void handleLater(Work work);
}
