package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.StockKey;

/** What clients want next. */
@FunctionalInterface
interface Demand {
    /** The next stock, at this point of the measured time: from 0 to 1, and negative before it. */
    StockKey next(double progress);
}
