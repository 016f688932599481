package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No committed line is left out of the feed, in whatever order transactions commit. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class ChangeFeedTest {
    static Stream<String> databases() {
        return Stream.of("H2", "MYSQL", "MARIADB", "POSTGRES");
    }

    private static TestShop shop(String database) throws SQLException {
        return database.equals("H2") ? TestShop.onH2() : TestShop.on(ServerKind.valueOf(database));
    }

    private static StockKey key(int number) {
        return new StockKey("SKU-" + number, "TOKYO");
    }

    private static void receive(Inventory inventory, int stocks) {
        List<StockLine> lines = IntStream.range(0, stocks)
                .mapToObj(i -> new StockLine(key(i), 1_000))
                .toList();
        assertThat(inventory.execute(new Receive(lines, "delivery"))).isInstanceOf(Received.class);
    }

    private static CompletableFuture<Outcome> reserve(Inventory inventory, String id, int stock) {
        return inventory.submit(new Reserve(Order.of(new StockLine(key(stock), 1)), id));
    }

    /** Reads everything after a position; the ids of the requests, in their order. */
    private static final class Reader {
        private final Inventory inventory;
        private final List<String> requests = new ArrayList<>();
        private final Map<StockKey, Long> lastLines = new HashMap<>();
        private long position;

        Reader(Inventory inventory) {
            this.inventory = inventory;
        }

        boolean readPage(int most) {
            List<LedgerChange> page = inventory.changes(position, most);
            for (LedgerChange change : page) {
                assertThat(change.position()).isGreaterThan(position);
                position = change.position();
                Stock after = change.entry().change().after();
                assertThat(after.version())
                        .as("the lines of %s are complete", after.key())
                        .isEqualTo(lastLines.getOrDefault(after.key(), 0L) + 1);
                lastLines.put(after.key(), after.version());
                requests.add(change.entry().requestId());
            }
            return !page.isEmpty();
        }

        List<String> readAll() {
            requests.clear();
            while (readPage(100)) {}
            return List.copyOf(requests);
        }
    }

    /** A transaction that commits late is not left out, and delays no line of other stock. */
    @ParameterizedTest
    @MethodSource("databases")
    void aLateCommitIsReadAfterEarlierOnes(String database) throws Exception {
        HeldCommits late = new HeldCommits();
        try (TestShop shop = shop(database);
                Inventory inventory = shop.inventory().build();
                Inventory slow = TestShop.patient(late.on(shop.dataSource()))
                        .strategy(Strategy.COMBINING)
                        .sweepEvery(Duration.ZERO)
                        .build()) {
            receive(inventory, 3);
            assertThat(inventory.reserve(new StockLine(key(0), 1), "before")).isInstanceOf(Reserved.class);
            CompletableFuture<Outcome> held = reserve(slow, "late", 0);
            late.await(1); // its line is written, and not committed
            assertThat(inventory.reserve(new StockLine(key(1), 1), "early")).isInstanceOf(Reserved.class);
            Reader reader = new Reader(inventory);
            Reader another = new Reader(inventory);
            assertThat(reader.readAll()).contains("early").doesNotContain("late", "before");
            late.release();
            assertThat(held.join()).isInstanceOf(Reserved.class);
            assertThat(reader.readAll()).containsExactly("delivery", "before", "late");
            assertThat(another.readAll())
                    .containsExactlyInAnyOrder("delivery", "delivery", "delivery", "early", "before", "late");
        }
    }

    /** Buyers in all ways, several readers that also give the positions, and one that starts over: each sees every line once. */
    @ParameterizedTest
    @MethodSource("databases")
    void readersBesideWritersSeeEveryLine(String database) throws Exception {
        int stocks = 6;
        int times = Scale.pick(80, 1_000);
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (TestShop shop = shop(database);
                Inventory first = shop.inventory().strategy(Strategy.OPTIMISTIC).build();
                Inventory second = shop.inventory().strategy(Strategy.COMBINING).build();
                Inventory third =
                        shop.inventory().strategy(Strategy.GROUP_COMMIT).build()) {
            receive(first, stocks);
            List<Reader> readers = List.of(new Reader(first), new Reader(second), new Reader(third));
            List<Future<?>> reading = new ArrayList<>();
            for (Reader reader : readers) {
                reading.add(threads.submit(() -> {
                    while (!over.get()) {
                        reader.readPage(7);
                    }
                }));
            }
            List<Future<?>> writing = new ArrayList<>();
            int writer = 0;
            for (Inventory inventory : List.of(first, second, third, second)) {
                int number = writer++;
                writing.add(threads.submit(() -> sell(inventory, number, stocks, times)));
            }
            for (Future<?> one : writing) {
                one.get();
            }
            over.set(true);
            for (Future<?> one : reading) {
                one.get();
            }
            long lines = shop.number("SELECT COUNT(*) FROM inventory_transaction");
            for (Reader reader : List.of(readers.get(0), readers.get(1), readers.get(2), new Reader(first))) {
                while (reader.readPage(1_000)) {}
                assertThat(reader.requests).hasSize((int) lines);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void sell(Inventory inventory, int number, int stocks, int times) {
        Random random = new Random(number);
        for (int i = 0; i < times; i++) {
            String id = "w" + number + "-" + i;
            int one = random.nextInt(stocks);
            int other = (one + 1) % stocks;
            Order order = random.nextInt(3) == 0
                    ? Order.of(new StockLine(key(one), 1), new StockLine(key(other), 1))
                    : Order.of(new StockLine(key(one), 1));
            if (inventory.execute(new Reserve(order, id)) instanceof Reserved && random.nextBoolean()) {
                inventory.execute(new Cancel(id, id + "/c"));
            }
        }
    }

    /** A row that another application keeps locked delays only its own lines. */
    @ParameterizedTest
    @MethodSource("databases")
    void aLockedRowDelaysOnlyItsOwnLines(String database) throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = shop.inventory().build()) {
            receive(inventory, 70);
            Reader reader = new Reader(inventory);
            try (RowLock lock = RowLock.on(shop.dataSource(), key(0))) {
                assertThat(lock.connection().isClosed()).isFalse();
                assertThat(reader.readAll()).hasSize(69);
            }
            assertThat(reader.readAll()).hasSize(1);
        }
    }
}
