package dev.lockstep.inventory;

/** How a transaction finds requests that were done before. */
enum IdempotencyCheck {
    /** All are taken for new; the ledger's unique index refuses the others, and the transaction is run again with a look-up. */
    BY_UNIQUE_INDEX,
    /** Each is looked up first. */
    BY_LOOKUP
}
