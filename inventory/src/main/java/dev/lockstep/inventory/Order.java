package dev.lockstep.inventory;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Lines that are reserved together, all of them or none. Lines of the same stock count as one.
 *
 * @param heldFor after which time the reservation returns its stock if it wasn't shipped; empty for never
 */
public record Order(List<StockLine> lines, Optional<Duration> heldFor) {
    /** Copies the lines. */
    public Order {
        lines = List.copyOf(lines);
    }

    /** An order of these lines. */
    public static Order of(StockLine... lines) {
        return of(List.of(lines));
    }

    /** An order of these lines. */
    public static Order of(List<StockLine> lines) {
        return new Order(lines, Optional.empty());
    }

    /** The same, released after this time if it wasn't shipped. */
    public Order heldFor(Duration time) {
        return new Order(lines, Optional.of(time));
    }
}
