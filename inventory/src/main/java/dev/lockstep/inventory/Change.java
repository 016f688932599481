package dev.lockstep.inventory;

/**
 * What a command did to one stock: a line of the ledger.
 *
 * @param physical how much more, or less, there is physically
 * @param allocated how much more, or less, is reserved
 * @param after the stock after it, whose version is the number of this change
 */
public record Change(long physical, long allocated, Stock after) {
    /** The stock that changed. */
    public StockKey key() {
        return after.key();
    }
}
