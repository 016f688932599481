package dev.lockstep.inventory;

/** How books that disagree are put right: which of them to believe. */
public enum Remedy {
    /** The ledger is right: the row is set to what its last line has left. A row that is missing is made again. */
    FROM_LEDGER,
    /**
     * The row is right: a line of the ledger explains it from now on. This also opens the ledger of rows that came into the table by
     * SQL.
     */
    KEEP_STOCK,
    /** The open reservations are right: what the row counts as reserved is set to what they hold. */
    RECOUNT_HOLDS
}
