package dev.lockstep.server.demo;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** One flash sale: buyers who ask for one each, again and again, until all orders are answered. No thread waits. */
final class FlashSaleRun {
    private static final String LOCATION = "TOKYO";

    private final Inventory inventory;
    private final Executor executor;
    private final String sku;
    private final int stock;
    private final int buyers;
    private final int orders;
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger reserved = new AtomicInteger();
    private final AtomicInteger outOfStock = new AtomicInteger();
    private final AtomicInteger other = new AtomicInteger();
    private final long start = System.nanoTime();
    private volatile long end;
    private volatile boolean running = true;
    private volatile boolean oversold;

    FlashSaleRun(Inventory inventory, Executor executor, String sku, int stock, int buyers, int orders) {
        this.inventory = inventory;
        this.executor = executor;
        this.sku = sku;
        this.stock = stock;
        this.buyers = buyers;
        this.orders = orders;
    }

    /** Receives the stock and lets the buyers in, on the executor. */
    void begin() {
        executor.execute(() -> {
            Outcome outcome = inventory.receive(line(sku, LOCATION, stock), sku + "-supply");
            if (outcome instanceof Outcome.Received) {
                for (int buyer = 0; buyer < Math.min(buyers, orders); buyer++) {
                    buy();
                }
            } else {
                close();
            }
        });
    }

    boolean isRunning() {
        return running;
    }

    /** On the executor after each answer, because an answer that is there at once would make the stack grow. */
    private void buy() {
        int number = asked.incrementAndGet();
        if (number > orders) {
            return;
        }
        Command order = new Command.Reserve(Order.of(line(sku, LOCATION, 1)), sku + "-" + number);
        var unused = inventory.submit(order).thenAcceptAsync(this::count, executor); // it counts itself
    }

    private void count(Outcome outcome) {
        if (outcome instanceof Outcome.Reserved) {
            reserved.incrementAndGet();
        } else if (outcome instanceof Outcome.OutOfStock) {
            outOfStock.incrementAndGet();
        } else {
            other.incrementAndGet();
        }
        if (answered.incrementAndGet() == orders) {
            close();
        } else {
            buy();
        }
    }

    private void close() {
        end = System.nanoTime();
        oversold = isOversold();
        running = false;
    }

    /** Whether the database has more set aside than there was, or buyers were promised more than it knows of. */
    private boolean isOversold() {
        try {
            long allocated = inventory
                    .stock(new StockKey(sku, LOCATION))
                    .map(Stock::allocated)
                    .orElse(0L);
            return allocated > stock || reserved.get() > allocated;
        } catch (LockException e) {
            return reserved.get() > stock; // the database is gone: what was answered is all that is known
        }
    }

    FlashSaleView view() {
        boolean isRunning = running;
        long took = Math.max(1, ((isRunning ? System.nanoTime() : end) - start) / 1_000_000);
        int soFar = answered.get();
        return new FlashSaleView(
                sku,
                LOCATION,
                stock,
                orders,
                buyers,
                isRunning,
                soFar,
                reserved.get(),
                outOfStock.get(),
                other.get(),
                took,
                Math.round(soFar * 10_000.0 / took) / 10.0,
                oversold);
    }
}
