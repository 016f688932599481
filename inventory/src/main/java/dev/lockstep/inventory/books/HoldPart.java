package dev.lockstep.inventory.books;

import dev.lockstep.inventory.HoldState;
import dev.lockstep.inventory.StockLine;

/**
 * A part of a reservation that ends before the rest of it.
 *
 * @param held what the line holds before
 * @param taken how much of it ends
 * @param end how it ends
 */
record HoldPart(String reservationId, StockLine held, long taken, HoldState end) {
    boolean isWhole() {
        return taken == held.quantity();
    }
}
