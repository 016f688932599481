package dev.lockstep.inventory;

/** What became of a reservation; its name is what the table holds. */
enum HoldState {
    HELD,
    SHIPPED,
    CANCELLED,
    EXPIRED
}
