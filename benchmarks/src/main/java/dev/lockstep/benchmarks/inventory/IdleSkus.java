package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.HeapCheck;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.StockLine;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What is left in the heap of SKUs that were sold once and are idle now. */
final class IdleSkus {
    private static final int CLIENTS = 32;
    private static final int FIRST = 1_000;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    /** Less than this is other objects of the JVM. A hundred thousand SKUs that were kept would be many times as much. */
    private static final long MOST_BYTES = 1 << 20;

    private final Inventory inventory;

    private IdleSkus(Inventory inventory) {
        this.inventory = inventory;
    }

    static String measure(SaleServer shop, int skus) throws SQLException, InterruptedException, ExecutionException {
        System.err.printf("  idle SKUs: %,d, each sold once%n", skus);
        shop.stockUp(FIRST + skus);
        try (Inventory inventory = Inventory.on(shop.pool())) {
            return new IdleSkus(inventory).measure(skus);
        }
    }

    private String measure(int skus) throws InterruptedException, ExecutionException {
        sellEach(0, FIRST); // classes and thread-locals that stay are made here
        awaitIdle();
        long before = HeapCheck.usedAfterGc();
        sellEach(FIRST, skus);
        long used = HeapCheck.usedAfterGc();
        awaitIdle();
        long after = HeapCheck.usedAfterGc();
        double perSku = (double) (after - before) / skus;
        return Comparison.number("%,.0f", skus)
                + " different SKUs sold once: heap %,d KiB before, %,d KiB right after, %,d KiB when they were idle;"
                        .formatted(before / 1024, used / 1024, after / 1024)
                + Comparison.number(" %.1f bytes for each idle SKU ", perSku)
                + (after - before < MOST_BYTES ? "✓" : "✗");
    }

    private void sellEach(int from, int count) throws InterruptedException, ExecutionException {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<? extends Future<?>> all = IntStream.range(0, CLIENTS)
                    .mapToObj(client -> clients.submit(() -> sell(from, count, client)))
                    .toList();
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            clients.shutdown();
        }
    }

    private void sell(int from, int count, int client) {
        for (int i = from + client; i < from + count; i += CLIENTS) {
            Outcome outcome = inventory.reserve(
                    new StockLine(SaleServer.key(i), 1), UUID.randomUUID().toString());
            if (!(outcome instanceof Outcome.Reserved)) {
                throw new IllegalStateException(outcome.toString());
            }
        }
    }

    private void awaitIdle() throws InterruptedException {
        long start = System.nanoTime();
        while (!inventory.strategies().isEmpty()) {
            if (System.nanoTime() - start > PATIENCE) {
                throw new IllegalStateException(inventory.strategies().size() + " SKUs are not forgotten");
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }
}
