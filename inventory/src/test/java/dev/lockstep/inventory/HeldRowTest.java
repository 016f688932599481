package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Someone else's session holds the row for longer than anyone is patient. */
@Tag("slow")
@Tag("once")
final class HeldRowTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Far longer than the patience, so that nobody is told by the network. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    static Stream<String> databases() {
        return Stream.of("H2", "MYSQL", "MARIADB", "POSTGRES");
    }

    private static TestShop shop(String database) throws SQLException {
        return database.equals("H2") ? TestShop.onH2() : TestShop.on(ServerKind.valueOf(database));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void who_waits_too_long_for_a_row_times_out_and_changes_nothing(String database) throws Exception {
        try (TestShop shop = shop(database);
                Locks locks = Locks.inMemory()) {
            List<Inventory> inventories = new ArrayList<>();
            for (Strategy strategy : Strategy.values()) {
                Inventory inventory = open(shop, strategy, locks);
                assertThat(inventory.receive(new StockLine(key(strategy), 10), "first-" + strategy))
                        .isInstanceOf(Received.class);
                inventories.add(inventory);
            }
            timeOutTogether(shop, inventories);
            for (Strategy strategy : Strategy.values()) {
                Inventory inventory = inventories.remove(0);
                assertThat(inventory.stock(key(strategy)).orElseThrow().allocated())
                        .as("%s", strategy)
                        .isZero();
                assertThat(inventory.reserve(new StockLine(key(strategy), 1), "r-" + strategy))
                        .as("%s", strategy)
                        .isInstanceOf(Reserved.class);
                inventory.close();
            }
            new LedgerAudit(shop.dataSource()).booksBalance();
        }
    }

    private static void timeOutTogether(TestShop shop, List<Inventory> inventories) throws Exception {
        List<RowLock> held = new ArrayList<>();
        List<CompletableFuture<Outcome>> answers = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            held.add(RowLock.on(shop.dataSource(), key(strategy)));
            Inventory inventory = inventories.get(answers.size());
            answers.add(
                    inventory.submit(new Command.Reserve(Order.of(new StockLine(key(strategy), 1)), "r-" + strategy)));
        }
        for (Strategy strategy : Strategy.values()) {
            assertThat(answers.remove(0))
                    .as("%s", strategy)
                    .succeedsWithin(Duration.ofSeconds(60))
                    .isInstanceOf(TimedOut.class);
        }
        for (RowLock lock : held) {
            lock.close();
        }
    }

    private static StockKey key(Strategy strategy) {
        return new StockKey(strategy.name(), "TOKYO");
    }

    private static Inventory open(TestShop shop, Strategy strategy, Locks locks) {
        InventoryBuilder builder = shop.inventory().patience(PATIENCE).answerWithin(ANSWER);
        return strategy == Strategy.LOCKED
                ? builder.lockedBy(locks).build()
                : builder.strategy(strategy).build();
    }
}
