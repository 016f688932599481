package dev.lockstep.inventory;

/** A quantity of one SKU at one location. Whether it makes sense is for the {@link Inventory} to say, in its answer. */
public record StockLine(StockKey key, long quantity) {
    /** A number of a SKU at a location. */
    public static StockLine line(String sku, String location, long quantity) {
        return new StockLine(new StockKey(sku, location), quantity);
    }

    /** {@code 2 of SHIRT-001 at TOKYO}. */
    @Override
    public String toString() {
        return quantity + " of " + key;
    }
}
