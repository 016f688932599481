package dev.lockstep.inventory;

/** What a line of the ledger is about; its name is what the table holds. */
enum EntryType {
    RESERVE,
    CANCEL,
    SHIP,
    RECEIVE,
    ADJUST,
    EXPIRE,
    EXTEND,
    REPAIR,
    /** Replaces all lines up to it, which were older than the retention. */
    CHECKPOINT
}
