package dev.lockstep.inventory;

/**
 * What the lines of one stock's ledger come to.
 *
 * @param lines how many there are
 * @param first the number of the first
 * @param physical what the changes on the shelf add up to
 * @param allocated what the changes of what is reserved add up to
 * @param last what the last line has left, with its number as version
 * @param repaired whether the stock was ever repaired
 */
record Ledger(long lines, long first, long physical, long allocated, Stock last, boolean repaired) {
    static Ledger none(StockKey key) {
        return new Ledger(0, 0, 0, 0, new Stock(key, 0, 0, 0), false);
    }

    boolean isEmpty() {
        return lines == 0;
    }

    /** Whether the lines add up to what the last one says, and none is missing. A repair may leave numbers out. */
    boolean isSound() {
        boolean complete = repaired || (lines == last.version() && (first == 1 || isEmpty()));
        return complete && physical == last.physical() && allocated == last.allocated();
    }
}
