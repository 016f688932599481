package dev.lockstep.inventory;

/** How works get to be settled. */
interface SettlementStrategy {
    /** Answers a work, on this thread, which may block. */
    void handle(PendingCommand work);

    /** Answers a work later, without blocking this thread. */
    void handleLater(PendingCommand work);
}
