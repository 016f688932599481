package dev.lockstep.inventory;

/** Whether a transaction takes requests for new ones. */
enum IdempotencyCheck {
    /** All are new: those that were done before are refused by the ledger's unique index, and the transaction is run again without trust. */
    BY_UNIQUE_INDEX,
    /** Each is looked up first. */
    BY_LOOKUP
}
