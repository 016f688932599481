package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.StockKey;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** How the demand is spread over the stock. */
enum Mix {
    HOT("one hot SKU", 1),
    COLD("10,000 cold SKUs", 10_000),
    ORDERS("orders of 3 lines over 10,000 cold SKUs", 10_000),
    CHANGING("cold, then hot, then cold", 10_000);

    private final String title;
    private final int skus;

    Mix(String title, int skus) {
        this.title = title;
        this.skus = skus;
    }

    int skus() {
        return skus;
    }

    /** How many lines an order has. */
    int lines() {
        return this == ORDERS ? 3 : 1;
    }

    /** Its parts, all of the same length. */
    List<String> phases() {
        return this == CHANGING ? List.of("cold", "hot", "cold again") : List.of("all");
    }

    /** The demand for a stock of {@link #skus}. */
    Demand of(List<StockKey> stock) {
        return progress ->
                stock.get(isHot(progress) ? 0 : ThreadLocalRandom.current().nextInt(stock.size()));
    }

    private boolean isHot(double progress) {
        return this == HOT || (this == CHANGING && progress >= 1 / 3.0 && progress < 2 / 3.0);
    }

    @Override
    public String toString() {
        return title;
    }
}
