package dev.lockstep.inventory;

/**
 * How much there is of one SKU at one location.
 *
 * @param physical the physical quantity
 * @param allocated what of it is reserved
 * @param version how many changes were made so far
 */
public record Stock(StockKey key, long physical, long allocated, long version) {
    /** What can still be reserved. */
    public long available() {
        return physical - allocated;
    }

    /** Whether there is less than nothing of it, or more reserved than there is. */
    public boolean isNegative() {
        return physical < 0 || allocated < 0 || allocated > physical;
    }

    /** {@code 5 in stock and 3 reserved (version 4)}. */
    public String counts() {
        return physical + " in stock and " + allocated + " reserved (version " + version + ")";
    }
}
