package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A session of another application holds the rows for longer than a request waits by default: 5 seconds. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
final class HeldRowTest {
    private static final Duration BY_DEFAULT = Duration.ofSeconds(5);

    /** Far longer, so that the time for an answer of the database is not what ends the wait. */
    private static final Duration ANSWER = Duration.ofSeconds(60);

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
                Locks locks = TestShop.locks();
                Inventory patient = shop.inventory().build()) {
            for (Strategy strategy : Strategy.values()) {
                assertThat(patient.receive(one(strategy), "first-" + strategy)).isInstanceOf(Received.class);
            }
            timeOutTogether(shop, locks);
            for (Strategy strategy : Strategy.values()) {
                assertThat(patient.stock(key(strategy)).orElseThrow().allocated())
                        .as("%s", strategy)
                        .isZero();
                assertThat(patient.reserve(one(strategy), "r-" + strategy))
                        .as("%s", strategy)
                        .isInstanceOf(Reserved.class);
            }
            new LedgerAudit(shop.dataSource()).booksBalance();
        }
    }

    private static void timeOutTogether(TestShop shop, Locks locks) throws Exception {
        List<AutoCloseable> opened = new ArrayList<>();
        Map<Strategy, CompletableFuture<Outcome>> answers = new EnumMap<>(Strategy.class);
        for (Strategy strategy : Strategy.values()) {
            opened.add(RowLock.on(shop.dataSource(), key(strategy)));
        }
        long since = System.nanoTime();
        for (Strategy strategy : Strategy.values()) {
            Inventory inventory = open(shop, strategy, locks);
            opened.add(inventory);
            answers.put(strategy, inventory.submit(new Reserve(Order.of(one(strategy)), "r-" + strategy)));
        }
        answers.forEach((strategy, answer) -> assertThat(answer)
                .as("%s", strategy)
                .succeedsWithin(Duration.ofMinutes(2))
                .isEqualTo(new TimedOut("r-" + strategy, BY_DEFAULT)));
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThanOrEqualTo(BY_DEFAULT);
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private static StockKey key(Strategy strategy) {
        return new StockKey(strategy.name(), "TOKYO");
    }

    private static StockLine one(Strategy strategy) {
        return new StockLine(key(strategy), 1);
    }

    private static Inventory open(TestShop shop, Strategy strategy, Locks locks) {
        InventoryBuilder builder = Inventory.builder(shop.dataSource()).answerWithin(ANSWER);
        return strategy == Strategy.LOCKED
                ? builder.lockedBy(locks).build()
                : builder.strategy(strategy).build();
    }
}
