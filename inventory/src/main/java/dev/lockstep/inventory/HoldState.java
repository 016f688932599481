package dev.lockstep.inventory;

/** What became of a reservation; its name is what the table holds. */
public enum HoldState {
    /** Its stock is set aside. */
    HELD,
    /** Its stock has left. */
    SHIPPED,
    /** Its stock was returned. */
    CANCELLED,
    /** Its time had ended, and its stock was returned. */
    EXPIRED
}
