package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Stock;
import java.util.List;

/** How much there is of a SKU, at each location. */
record StockView(String sku, List<StockLevel> stock) {
    /** How much there is at one location. */
    record StockLevel(String location, long physical, long allocated, long available, long version) {
        static StockLevel of(Stock stock) {
            return new StockLevel(
                    stock.key().location(), stock.physical(), stock.allocated(), stock.available(), stock.version());
        }
    }
}
