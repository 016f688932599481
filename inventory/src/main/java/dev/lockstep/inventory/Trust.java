package dev.lockstep.inventory;

/** Whether a transaction takes requests for new ones. */
enum Trust {
    /** All are new: those that were done before are refused by the ledger's unique index, and the transaction is run again without trust. */
    NEW,
    /** Each is looked up first. */
    NONE
}
