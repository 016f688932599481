package dev.lockstep.inventory.books;

/** How a transaction finds requests that were done before. */
public enum IdempotencyCheck {
    /** All are taken for new; the ledger's unique index refuses the others, and the transaction is run again with a look-up. */
    BY_UNIQUE_INDEX,
    /** Each is looked up first. */
    BY_LOOKUP
}
