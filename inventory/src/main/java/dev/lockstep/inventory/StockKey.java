package dev.lockstep.inventory;

import dev.lockstep.core.LockKey;

/** What stock is counted by: a SKU at a location. */
public record StockKey(String sku, String location) {
    /** The key of the lock that this stock is under. */
    public LockKey lockKey() {
        return StockKind.SKU.key(sku).child(StockKind.LOCATION, location);
    }

    /** {@code SHIRT-001 at TOKYO}. */
    @Override
    public String toString() {
        return sku + " at " + location;
    }
}
