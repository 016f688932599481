package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Series;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Outcome.Adjusted;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.Strategy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The rate at which one client reserves a SKU, alone and beside clients that ask for a sold-out SKU again after a pause. */
final class SoldOutCrowd {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final double WANTED = 0.4;

    /** What the other clients do. */
    private enum Others {
        NONE("alone"),
        /** The upper bound: the processor time of the clients' threads alone. */
        CONSTANT("beside clients that are refused without a request"),
        SOLD_OUT("beside clients of a sold-out SKU");

        private final String title;

        Others(String title) {
            this.title = title;
        }
    }

    private final SaleServer shop;
    private final int clients;
    private final Duration time;
    private final Map<Others, List<Double>> rates = new EnumMap<>(Others.class);
    private final Map<Others, List<Double>> refusals = new EnumMap<>(Others.class);

    SoldOutCrowd(SaleServer shop, int clients, Duration time) {
        this.shop = shop;
        this.clients = clients;
        this.time = time;
    }

    /** One round that doesn't count, then those that do. */
    SoldOutCrowd run(int rounds) throws SQLException, InterruptedException {
        for (int round = 0; round <= rounds; round++) {
            for (Others others : Others.values()) {
                Turn turn = turn(others);
                System.err.printf(
                        "  round %d of %d: %s: %,.0f/s, %,.0f refusals/s%n",
                        round, rounds, others.title, turn.rate(), turn.refused());
                if (round > 0) {
                    rates.computeIfAbsent(others, any -> new ArrayList<>()).add(turn.rate());
                    refusals.computeIfAbsent(others, any -> new ArrayList<>()).add(turn.refused());
                }
            }
        }
        return this;
    }

    private record Turn(double rate, double refused) {}

    private Turn turn(Others others) throws SQLException, InterruptedException {
        List<StockKey> keys = shop.stockUp(2);
        try (Inventory inventory =
                Inventory.builder(shop.pool()).strategy(Strategy.COMBINING).build()) {
            sellOut(inventory, keys.get(0));
            RefusedClients crowd = new RefusedClients(others, inventory, new StockLine(keys.get(0), 1));
            List<Thread> threads = crowd.start(others == Others.NONE ? 0 : clients);
            List<Receipts> receipts;
            try {
                receipts = ClosedLoop.run(new InventorySeller(inventory), progress -> keys.get(1), 1, time);
            } finally {
                crowd.stop.countDown();
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            crowd.check();
            double seconds = time.plus(time.dividedBy(5)).toNanos() / 1e9;
            return new Turn(Sales.of(receipts, time, 1).rate(), crowd.refused.sum() / seconds);
        }
    }

    private static void sellOut(Inventory inventory, StockKey key) {
        long left = inventory.stock(key).orElseThrow().available();
        var outcome = inventory.adjust(new StockLine(key, -left), "sold out", "sold-out");
        if (!(outcome instanceof Adjusted)) {
            throw new IllegalStateException(outcome.toString());
        }
    }

    /** Clients that are refused. */
    private static final class RefusedClients {
        private final Others others;
        private final Inventory inventory;
        private final StockLine line;
        private final CountDownLatch stop = new CountDownLatch(1);
        private final LongAdder refused = new LongAdder();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        private RefusedClients(Others others, Inventory inventory, StockLine line) {
            this.others = others;
            this.inventory = inventory;
            this.line = line;
        }

        private List<Thread> start(int clients) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                Thread thread = new Thread(this::askUntilStopped, "crowd-" + i);
                threads.add(thread);
                thread.start();
            }
            return threads;
        }

        private void askUntilStopped() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                do {
                    ask(new UUID(random.nextLong(), random.nextLong()).toString());
                    refused.increment();
                } while (!stop.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS));
            } catch (InterruptedException | RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            }
        }

        private void ask(String requestId) {
            if (others == Others.SOLD_OUT) {
                var outcome = inventory.reserve(line, requestId);
                if (!(outcome instanceof OutOfStock)) {
                    throw new IllegalStateException(outcome.toString());
                }
            }
        }

        private void check() {
            if (failure.get() != null) {
                throw new IllegalStateException("a request failed: " + failure.get(), failure.get());
            }
        }
    }

    List<Comparison> comparisons() {
        Series alone = series(rates, Others.NONE);
        return List.of(
                Comparison.asking(WANTED, title(Others.SOLD_OUT), series(rates, Others.SOLD_OUT), alone),
                Comparison.only(title(Others.CONSTANT), series(rates, Others.CONSTANT), alone));
    }

    private static Series series(Map<Others, List<Double>> turns, Others others) {
        return new Series(turns.getOrDefault(others, List.of()));
    }

    private String title(Others others) {
        double perSecond = series(refusals, others).median();
        return "1 client, %s (%d, %s refusals/s), and alone"
                .formatted(others.title, clients, Comparison.number("%,.0f", perSecond));
    }
}
