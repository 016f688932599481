package dev.lockstep.inventory;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stock that was set aside, and what became of it.
 *
 * @param lines what is still held; if nothing is, what has ended in this state; in the order of the locks
 * @param state {@code SHIPPED} if nothing is held any more and some of it was shipped
 * @param expiresAt when it returns its stock if it isn't shipped, by the database's clock; empty for never, and once nothing is held
 */
public record Reservation(String id, List<StockLine> lines, HoldState state, Optional<Instant> expiresAt) {
    /** Copies the lines. */
    public Reservation {
        lines = List.copyOf(lines);
    }
}
