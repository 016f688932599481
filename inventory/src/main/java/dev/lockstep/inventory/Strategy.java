package dev.lockstep.inventory;

/** How concurrent changes of one stock are kept apart. */
public enum Strategy {
    /** Reads, and writes only if the row is unchanged; else tries again. */
    OPTIMISTIC,
    /** Locks the rows first. */
    PESSIMISTIC,
    /** Works under {@link dev.lockstep.core.Locks}, for example on Redis. */
    LOCKED,
    /** Requests that wait while a commit is on its way go into the next transaction together. */
    COMBINING,
    /** The same for requests of different stock: orders across the whole shop share transactions. */
    GROUP_COMMIT,
    /** Optimistic for stock that is rarely contended for, combining for the rest; orders of several stocks share commits. */
    ADAPTIVE
}
