package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.StockKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Makes each request an order of several lines: of the stock that is wanted, and of some at random. */
record OrderSeller(Seller seller, List<StockKey> stock, int lines) implements Seller {
    static Seller of(Seller seller, List<StockKey> stock, int lines) {
        return lines == 1 ? seller : new OrderSeller(seller, stock, lines);
    }

    @Override
    public Answer reserve(List<StockKey> keys, String requestId) throws Exception {
        Set<StockKey> order = new LinkedHashSet<>(keys);
        while (order.size() < lines) {
            order.add(stock.get(ThreadLocalRandom.current().nextInt(stock.size())));
        }
        return seller.reserve(List.copyOf(order), requestId);
    }

    @Override
    public void close() {
        seller.close();
    }
}
