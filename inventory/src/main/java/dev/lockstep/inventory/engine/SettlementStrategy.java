package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.books.PendingCommand;

/** When, and with which others, a command is settled. */
interface SettlementStrategy {
    /** Settles a command on this thread, which may block. */
    void handle(PendingCommand work);

    /** Settles a command later, without blocking this thread. */
    void handleLater(PendingCommand work);
}
