package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import dev.lockstep.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class GroupCommitTest {
    private static final int LANES = 4;

    static Stream<String> databases() {
        return Stream.of("H2", "MYSQL", "MARIADB", "POSTGRES");
    }

    private static TestShop shop(String database) throws SQLException {
        return database.equals("H2") ? TestShop.onH2() : TestShop.on(ServerKind.valueOf(database));
    }

    /** All strategies that combine. */
    static Stream<Arguments> combining() {
        return databases()
                .flatMap(database -> Stream.of(Strategy.GROUP_COMMIT, Strategy.COMBINING, Strategy.ADAPTIVE)
                        .map(strategy -> Arguments.of(database, strategy)));
    }

    /** All strategies that commit requests of different stock together. */
    static Stream<Arguments> grouping() {
        return combining().filter(arguments -> arguments.get()[1] != Strategy.COMBINING);
    }

    private static Inventory open(TestShop shop, Tap tap) {
        return open(shop, tap, Strategy.GROUP_COMMIT);
    }

    private static Inventory open(TestShop shop, Tap tap, Strategy strategy) {
        return TestShop.patient(tap.on(shop.dataSource()))
                .strategy(strategy)
                .sweepEvery(Duration.ZERO)
                .build();
    }

    private static StockKey key(int number) {
        return new StockKey("SKU \"" + number + "\\é'", "TŌKYŌ");
    }

    private static void receive(Inventory inventory, int stocks) {
        List<StockLine> lines = IntStream.range(0, stocks)
                .mapToObj(i -> new StockLine(key(i), 10))
                .toList();
        assertThat(inventory.execute(new Command.Receive(lines, "delivery"))).isInstanceOf(Received.class);
    }

    private static CompletableFuture<Outcome> order(Inventory inventory, String id, int... stocks) {
        return inventory.submit(new Reserve(
                Order.of(IntStream.of(stocks)
                        .mapToObj(i -> new StockLine(key(i), 1))
                        .toList()),
                id));
    }

    /** While the commits of all lanes wait, others queue; they need no more transactions than there are lanes. */
    @ParameterizedTest
    @MethodSource("grouping")
    void orders_of_different_stock_share_transactions(String database, Strategy strategy) throws Exception {
        HeldCommits commits = new HeldCommits();
        try (TestShop shop = shop(database)) {
            try (Inventory inventory = shop.inventory().build()) {
                receive(inventory, 100);
            }
            try (Inventory inventory = open(shop, commits, strategy)) {
                List<CompletableFuture<Outcome>> answers = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    answers.add(order(inventory, "one-" + i, i));
                }
                commits.await(LANES);
                for (int i = 60; i < 97; i++) {
                    answers.add(order(inventory, "three-" + i, i, i + 1, i + 2));
                }
                commits.release();
                answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(Reserved.class));
                InventoryFigures figures = inventory.figures();
                assertThat(figures.commands()).isEqualTo(97);
                assertThat(figures.transactions()).isLessThan(70);
                assertThat(order(inventory, "too-many", 0, 1, 200).join()).isInstanceOf(Rejected.class);
            }
            new LedgerAudit(shop.dataSource()).booksBalance();
        }
    }

    /** A row that another application has locked delays only those who need it. */
    @ParameterizedTest
    @MethodSource("databases")
    void a_locked_row_delays_no_other_stock(String database) throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop, new Tap() {})) {
            receive(inventory, 40);
            List<CompletableFuture<Outcome>> needIt = new ArrayList<>();
            try (RowLock lock = RowLock.on(shop.dataSource(), key(0))) {
                assertThat(lock.connection().isClosed()).isFalse();
                for (int i = 0; i < 5; i++) {
                    needIt.add(order(inventory, "needs-it-" + i, i, 0));
                }
                for (int i = 1; i < 40; i++) {
                    assertThat(order(inventory, "free-" + i, i))
                            .succeedsWithin(Duration.ofSeconds(60))
                            .isInstanceOf(Reserved.class);
                }
                assertThat(needIt).noneMatch(CompletableFuture::isDone);
            }
            needIt.forEach(answer -> assertThat(answer.join()).isInstanceOf(Reserved.class));
            assertThat(inventory.ship("needs-it-1", "s1")).isInstanceOf(Shipped.class);
            assertThat(order(inventory, "too-many", 0, 0, 0, 0, 0, 0, 0).join()).isInstanceOf(OutOfStock.class);
            new LedgerAudit(shop.dataSource()).booksBalance();
        }
    }

    /** An order that waits for a row holds none of its other rows meanwhile. */
    @ParameterizedTest
    @MethodSource("combining")
    void orders_of_several_lines_that_wait_for_a_row_delay_no_other_orders(String database, Strategy strategy)
            throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop, new Tap() {}, strategy)) {
            receive(inventory, 10);
            CompletableFuture<Outcome> first;
            CompletableFuture<Outcome> both;
            CompletableFuture<Outcome> missing;
            try (RowLock lock = RowLock.on(shop.dataSource(), key(9))) {
                assertThat(lock.connection().isClosed()).isFalse();
                try (RowLock other = RowLock.on(shop.dataSource(), key(8))) {
                    assertThat(other.connection().isClosed()).isFalse();
                    first = order(inventory, "first", 1, 9);
                    both = order(inventory, "both", 1, 8, 9);
                    missing = order(inventory, "missing", 1, 9, 200);
                    for (int i = 0; i < 3; i++) {
                        assertReservedNow(order(inventory, "one-" + i, 1));
                        assertReservedNow(order(inventory, "one-two-" + i, 1, 2));
                        assertReservedNow(order(inventory, "two-three-" + i, 2, 3));
                    }
                    assertThat(order(inventory, "unknown", 1, 200))
                            .succeedsWithin(Duration.ofSeconds(60))
                            .isInstanceOf(Rejected.class);
                }
                assertThat(List.of(first, both, missing)).noneMatch(CompletableFuture::isDone);
            }
            assertThat(first.join()).isInstanceOf(Reserved.class);
            assertThat(both.join()).isInstanceOf(Reserved.class);
            assertThat(missing.join()).isInstanceOf(Rejected.class);
            new LedgerAudit(shop.dataSource()).booksBalance();
        }
    }

    /** Two rows of which another application always has one locked: they are waited for in their order. */
    @ParameterizedTest
    @MethodSource("combining")
    void an_order_of_rows_that_are_never_unlocked_together_is_done(String database, Strategy strategy)
            throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop, new Tap() {}, strategy)) {
            receive(inventory, 2);
            RowLock first = RowLock.on(shop.dataSource(), key(0));
            RowLock second = RowLock.on(shop.dataSource(), key(1));
            CompletableFuture<Outcome> both = order(inventory, "both", 0, 1);
            long since = System.nanoTime();
            while (!both.isDone()
                    && System.nanoTime() - since < Duration.ofSeconds(60).toNanos()) {
                first.close();
                CompletableFuture<RowLock> again = lockLater(shop, key(0));
                try {
                    again.get(300, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) { // the order has it, and waits for the other
                    assertThat(both).isNotCompletedExceptionally();
                }
                second.close();
                second = RowLock.on(shop.dataSource(), key(1));
                first = again.get();
            }
            first.close();
            second.close();
            assertThat(both).isCompleted();
            assertThat(both.join()).isInstanceOf(Reserved.class);
        }
    }

    private static CompletableFuture<RowLock> lockLater(TestShop shop, StockKey key) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return RowLock.on(shop.dataSource(), key);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Orders that wait for more rows than there are workers leave the workers to the others. */
    @ParameterizedTest
    @MethodSource("databases")
    void many_locked_rows_delay_no_other_stock(String database) throws Exception {
        int workers = 2;
        try (TestShop shop = shop(database);
                Inventory inventory = TestShop.patient(shop.dataSource())
                        .strategy(Strategy.GROUP_COMMIT)
                        .workers(workers)
                        .sweepEvery(Duration.ZERO)
                        .build()) {
            receive(inventory, 20);
            List<RowLock> locks = new ArrayList<>();
            List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
            for (int i = 0; i <= workers; i++) {
                locks.add(RowLock.on(shop.dataSource(), key(i)));
                waiting.add(order(inventory, "waiting-" + i, i));
            }
            for (int i = workers + 1; i < 20; i++) {
                assertReservedNow(order(inventory, "free-" + i, i));
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            for (RowLock lock : locks) {
                lock.close();
            }
            waiting.forEach(answer -> assertThat(answer.join()).isInstanceOf(Reserved.class));
        }
    }

    /** A command that creates a row is not taken for one that waits, because it once skipped another row. */
    @ParameterizedTest
    @MethodSource("databases")
    void a_delivery_that_skipped_a_row_creates_the_others(String database) throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop, new Tap() {})) {
            receive(inventory, 1);
            CompletableFuture<Outcome> delivery;
            try (RowLock lock = RowLock.on(shop.dataSource(), key(0))) {
                assertThat(lock.connection().isClosed()).isFalse();
                List<StockLine> lines = List.of(new StockLine(key(0), 1), new StockLine(key(1), 1));
                delivery = inventory.submit(new Command.Receive(lines, "both")); // its first turn is on this thread
                assertThat(delivery).isNotDone();
            }
            assertThat(delivery).succeedsWithin(Duration.ofSeconds(60)).isInstanceOf(Received.class);
        }
    }

    private static void assertReservedNow(CompletableFuture<Outcome> answer) {
        assertThat(answer).succeedsWithin(Duration.ofSeconds(60)).isInstanceOf(Reserved.class);
    }
}
