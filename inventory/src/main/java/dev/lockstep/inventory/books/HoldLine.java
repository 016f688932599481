package dev.lockstep.inventory.books;

import dev.lockstep.inventory.StockLine;
import java.util.Collection;
import java.util.List;

/** A line of a reservation: a row of its table. */
record HoldLine(Hold hold, StockLine line) {
    static List<HoldLine> of(Collection<Hold> holds) {
        return holds.stream()
                .flatMap(hold -> hold.lines().stream().map(line -> new HoldLine(hold, line)))
                .toList();
    }
}
