package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.util.List;

/** Lockstep's inventory. */
record InventorySeller(Inventory inventory) implements Seller {
    @Override
    public Answer reserve(List<StockKey> keys, String requestId) {
        Order order = Order.of(keys.stream().map(key -> new StockLine(key, 1)).toList());
        Outcome outcome = inventory.reserve(order, requestId);
        if (outcome instanceof Outcome.Reserved) {
            return Answer.RESERVED;
        }
        if (outcome instanceof Outcome.Unknown) {
            return Answer.UNKNOWN;
        }
        if (outcome instanceof Outcome.GaveUp
                || outcome instanceof Outcome.TimedOut
                || outcome instanceof Outcome.Overloaded) {
            return Answer.GAVE_UP;
        }
        throw new IllegalStateException(outcome.toString(), outcome instanceof Outcome.Failed f ? f.cause() : null);
    }

    @Override
    public void close() {
        inventory.close();
    }
}
