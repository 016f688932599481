package dev.lockstep.inventory;

/** What a line of the ledger is about; its name is what the table holds. */
public enum EntryType {
    /** Stock was reserved. */
    RESERVE,
    /** A reservation, or a part of it, was cancelled. */
    CANCEL,
    /** A reservation, or a part of it, was shipped. */
    SHIP,
    /** New stock was received. */
    RECEIVE,
    /** The stock was corrected by a count. */
    ADJUST,
    /** A reservation expired. */
    EXPIRE,
    /** A reservation holds its stock for longer. */
    EXTEND,
    /** Books that disagreed were repaired. */
    REPAIR,
    /** The safety stock was set. */
    SAFETY,
    /** Replaces all lines up to it, which were older than the retention. */
    CHECKPOINT
}
