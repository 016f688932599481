package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;

/**
 * What the lines of one stock's ledger add up to.
 *
 * @param lines how many there are
 * @param base the number of the last repair or checkpoint, else 1: from there on, no number may be missing
 * @param sinceBase how many lines there are from the base on
 * @param physical the sum of the physical changes
 * @param allocated the sum of the changes of what is reserved
 * @param last what the last line has left, with its number as version
 */
record Ledger(long lines, long base, long sinceBase, long physical, long allocated, Stock last) {
    static Ledger none(StockKey key) {
        return new Ledger(0, 1, 0, 0, 0, new Stock(key, 0, 0, 0));
    }

    boolean isEmpty() {
        return lines == 0;
    }

    /** This ledger and the lines that were written after it. */
    Ledger plus(Ledger later) {
        if (later.isEmpty()) {
            return this;
        }
        boolean rebased = later.base > last.version();
        return new Ledger(
                lines + later.lines,
                rebased ? later.base : base,
                rebased ? later.sinceBase : sinceBase + later.lines,
                physical + later.physical,
                allocated + later.allocated,
                later.last);
    }

    /** Whether the lines add up to what the last one says, and none is missing. A repair may leave out numbers before its own. */
    boolean isSound() {
        boolean complete = sinceBase == last.version() - base + 1;
        return complete && physical == last.physical() && allocated == last.allocated();
    }
}
