package dev.lockstep.inventory;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.TimedOut;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is retried, how often, and after which pauses: with the default options, on a clock that leaps over the pauses. */
final class RetriesTest {
    private static final StockLine ONE = line("SHIRT-001", "TOKYO", 1);

    private final LeapingClock clock = new LeapingClock();
    private final List<Long> attemptsAt = new ArrayList<>();
    private final AtomicInteger transactions = new AtomicInteger();
    private TestShop shop;
    private Locks locks;

    @BeforeEach
    void open() {
        shop = TestShop.onH2();
        locks = TestShop.locks();
        try (Inventory inventory = shop.inventory().build()) {
            assertThat(inventory.receive(line("SHIRT-001", "TOKYO", 10), "in")).isInstanceOf(Received.class);
        }
    }

    @AfterEach
    void close() throws SQLException {
        locks.close();
        shop.close();
    }

    /** An inventory with nothing set but its strategy, the clock, and no sweep that would come in between. */
    private Inventory byDefault(Strategy strategy, Tap tap) {
        InventoryBuilder builder =
                Inventory.builder(tap.on(shop.dataSource())).clock(clock).sweepEvery(Duration.ZERO);
        return (strategy == Strategy.LOCKED ? builder.lockedBy(locks) : builder.strategy(strategy)).build();
    }

    /** What happens in the place of a write, if anything. */
    private interface Trouble {
        void at(int attempt) throws SQLException;
    }

    /** Notes when the stock is about to be written, and lets trouble come first. */
    private Tap beforeWrites(Trouble trouble) {
        return new Tap() {
            @Override
            public void prepare(String sql) throws SQLException {
                if (sql.startsWith("UPDATE inventory_location")) {
                    attemptsAt.add(clock.elapsed().toMillis());
                    trouble.at(attemptsAt.size());
                }
            }
        };
    }

    private void changeInBetween() throws SQLException {
        shop.sql("UPDATE inventory_location SET version = version + 1");
    }

    private void assertGaveUpAfterFourAttempts(Inventory inventory) {
        Outcome outcome = inventory.reserve(ONE, "r1");

        assertThat(attemptsAt).containsExactly(0L, 100L, 300L, 700L);
        assertThat(outcome).isEqualTo(new GaveUp("r1", GaveUp.Reason.CONFLICTS, Duration.ofMillis(400)));
        assertThat(outcome.message(Locale.JAPANESE)).isEqualTo(CasesContract.BUSY);
        assertThat(inventory.figures().conflicts()).isEqualTo(4);
        assertThat(inventory.stock("SHIRT-001").get(0).allocated()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPTIMISTIC", "LOCKED"})
    void a_version_conflict_is_retried_after_100_200_and_400_ms_and_then_the_answer_is_busy(Strategy strategy) {
        try (Inventory inventory = byDefault(strategy, beforeWrites(attempt -> changeInBetween()))) {
            assertGaveUpAfterFourAttempts(inventory);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OPTIMISTIC", "PESSIMISTIC", "LOCKED"})
    void a_refused_transaction_is_retried_after_100_200_and_400_ms_and_then_the_answer_is_busy(Strategy strategy) {
        Trouble refused = attempt -> {
            throw new SQLException("could not serialize access", "40001");
        };
        try (Inventory inventory = byDefault(strategy, beforeWrites(refused))) {
            assertGaveUpAfterFourAttempts(inventory);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OPTIMISTIC", "LOCKED"})
    void the_fourth_attempt_may_succeed(Strategy strategy) {
        Trouble threeTimes = attempt -> {
            if (attempt <= 3) {
                changeInBetween();
            }
        };
        try (Inventory inventory = byDefault(strategy, beforeWrites(threeTimes))) {
            assertThat(inventory.reserve(ONE, "r1")).isInstanceOf(Reserved.class);
            assertThat(attemptsAt).containsExactly(0L, 100L, 300L, 700L);
        }
    }

    /** Counts transactions; each fails when it reads the stock, unless the state is empty. */
    private Tap failing(String state) {
        return new Tap() {
            @Override
            public Connection connect(DataSource real) throws SQLException {
                transactions.incrementAndGet();
                return real.getConnection();
            }

            @Override
            public void prepare(String sql) throws SQLException {
                if (!state.isEmpty() && sql.contains("FROM inventory_location")) {
                    throw new SQLException("refused by the test", state);
                }
            }
        };
    }

    private void assertTriedOnce() {
        assertThat(transactions).hasValue(1);
        assertThat(clock.elapsed()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void out_of_stock_is_not_retried(Strategy strategy) {
        try (Inventory inventory = byDefault(strategy, failing(""))) {
            assertThat(inventory.reserve(line("SHIRT-001", "TOKYO", 11), "r1")).isInstanceOf(OutOfStock.class);
            assertTriedOnce();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_lock_timeout_is_not_retried(Strategy strategy) {
        try (Inventory inventory = byDefault(strategy, failing("55P03"))) {
            assertThat(inventory.reserve(ONE, "r1")).isEqualTo(new TimedOut("r1", Duration.ofSeconds(5)));
            assertTriedOnce();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIMISTIC, 08006", "PESSIMISTIC, 08006", "LOCKED, 08006", "COMBINING, 08006", "ADAPTIVE, 08006",
        "OPTIMISTIC, XX000", "PESSIMISTIC, XX000", "LOCKED, XX000", "COMBINING, XX000", "ADAPTIVE, XX000"
    })
    void a_system_error_is_not_retried(Strategy strategy, String state) {
        try (Inventory inventory = byDefault(strategy, failing(state))) {
            assertThat(inventory.reserve(ONE, "r1")).isInstanceOf(Failed.class);
            assertTriedOnce();
        }
    }
}
