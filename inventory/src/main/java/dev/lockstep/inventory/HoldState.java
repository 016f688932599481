package dev.lockstep.inventory;

/** What became of a reservation; its name is what the table holds. */
public enum HoldState {
    /** Its stock is set aside. */
    HELD,
    /** Its stock has left. */
    SHIPPED,
    /** Its stock was given back. */
    CANCELLED,
    /** Its time was over, and its stock was given back. */
    EXPIRED
}
