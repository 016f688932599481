package dev.lockstep.inventory;

/** Why a command is refused for good: asking again won't help. */
public enum Rejection {
    /** A quantity is zero or negative, or so large that sums would overflow. */
    INVALID_QUANTITY,
    /** A SKU, location, id or reason is empty, too long, or has characters that don't belong there. */
    INVALID_TEXT,
    /** An order without lines, or with too many. */
    INVALID_ORDER,
    /** A hold's time is not positive, or too long. */
    INVALID_TIME,
    /** No stock was ever received of it. */
    UNKNOWN_STOCK,
    /** There is no such reservation. */
    UNKNOWN_RESERVATION,
    /** The reservation was shipped before. */
    ALREADY_SHIPPED,
    /** The reservation was cancelled before. */
    ALREADY_CANCELLED,
    /** The reservation's time has ended. */
    EXPIRED,
    /** The reservation's time isn't over. */
    NOT_EXPIRED,
    /** The request id was used for something else. */
    REQUEST_ID_REUSED,
    /** The stock row doesn't have what the reservations say: it was changed by hand. Reconcile and repair it. */
    BOOKS_DISAGREE,
    /** The books agree already. */
    NOTHING_TO_REPAIR,
    /** The books can't be put right like this. */
    CANT_REPAIR
}
