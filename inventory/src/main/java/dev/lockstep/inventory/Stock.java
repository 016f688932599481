package dev.lockstep.inventory;

/**
 * How much there is of one SKU at one location.
 *
 * @param physical the physical quantity
 * @param allocated what of it is reserved
 * @param version how many changes were made so far
 * @param safety what of it is not for sale, as it was read; zero in {@link Change#after}
 */
public record Stock(StockKey key, long physical, long allocated, long version, long safety) {
    /** Stock of which all is for sale. */
    public Stock(StockKey key, long physical, long allocated, long version) {
        this(key, physical, allocated, version, 0);
    }

    /** What can still be reserved. */
    public long available() {
        long free = physical - allocated;
        return free <= 0 || safety <= 0 ? free : Math.max(0, free - safety);
    }

    /** The same stock with another safety stock. */
    public Stock withSafety(long quantity) {
        return new Stock(key, physical, allocated, version, quantity);
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
