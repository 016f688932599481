package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.sql.Fault;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** After a failover the pool may still be connected to the former primary, which accepts no writes any more. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ReadOnlyServerTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");

    private final AtomicInteger connections = new AtomicInteger();
    private TestDatabase database;
    private HikariDataSource pool;

    @BeforeEach
    void open() throws SQLException {
        database = TestServers.shared(ServerKind.POSTGRES).freshDatabase();
        pool = TestPool.to(database.jdbcUrl(), database.user(), database.password(), 4, TestPool.PATIENT);
        InventorySchema.on(pool).apply();
        try (Inventory inventory = TestShop.patient(pool).build()) {
            assertThat(inventory.receive(new StockLine(SHIRT, 100), "in")).isInstanceOf(Received.class);
        }
    }

    @AfterEach
    void close() throws SQLException {
        pool.close();
        database.close();
    }

    /** New connections are read-only from now on, or not any more; those of the pool stay what they are. */
    private void setReadOnly(boolean readOnly) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET default_transaction_read_only = off");
            statement.execute("ALTER DATABASE " + database.name() + " SET default_transaction_read_only = "
                    + (readOnly ? "on" : "off"));
        }
    }

    private void failOver() throws SQLException {
        setReadOnly(true);
        pool.getHikariPoolMXBean().softEvictConnections();
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.isValid(10)).isTrue();
        }
        setReadOnly(false);
    }

    private DataSource counted() {
        Tap counting = new Tap() {
            @Override
            public Connection connect(DataSource real) throws SQLException {
                connections.incrementAndGet();
                return real.getConnection();
            }
        };
        return counting.on(pool);
    }

    @ParameterizedTest
    @EnumSource(names = {"OPTIMISTIC", "PESSIMISTIC", "COMBINING", "ADAPTIVE"})
    void theConnectionIsDroppedAndTheCallerMayRetry(Strategy strategy) throws SQLException {
        try (Inventory inventory = TestShop.patient(pool).strategy(strategy).build()) {
            failOver();
            Outcome first = inventory.reserve(new StockLine(SHIRT, 1), "r-1");
            assertThat(first).isInstanceOfSatisfying(Failed.class, failed -> {
                assertThat(failed.retryable()).isTrue();
                assertThat(failed.cause()).hasMessageStartingWith("The database of the inventory is read-only (");
            });
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> inventory.reserve(new StockLine(SHIRT, 1), "r-1") instanceof Reserved);
            assertThat(inventory.stock(SHIRT)).contains(new Stock(SHIRT, 100, 1, 2));
        }
    }

    @Test
    void theConnectionIsAlsoDroppedWhenARowCannotBeCreated() throws SQLException {
        StockLine hats = StockLine.line("HAT", "TOKYO", 1);
        try (Inventory inventory = TestShop.patient(pool)
                .strategy(Strategy.OPTIMISTIC)
                .sweepEvery(Duration.ZERO)
                .build()) {
            failOver();
            assertThat(inventory.receive(hats, "hats")).isInstanceOf(Failed.class);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> inventory.receive(hats, "hats") instanceof Received);
        }
    }

    @Test
    void aBatchIsNotTriedOneByOne() throws Exception {
        try (Inventory inventory =
                TestShop.patient(counted()).strategy(Strategy.COMBINING).build()) {
            assertThat(inventory.reserve(new StockLine(SHIRT, 1), "first")).isInstanceOf(Reserved.class);
            setReadOnly(true);
            pool.getHikariPoolMXBean().softEvictConnections();
            connections.set(0);
            List<CompletableFuture<Outcome>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                answers.add(inventory.submit(new Reserve(Order.of(new StockLine(SHIRT, 1)), "r-" + i)));
            }
            answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(Failed.class));
            assertThat(connections).hasValueLessThan(100);
        }
    }

    /** What it shows may be old: a sale on the new primary, or a delivery. */
    @ParameterizedTest
    @EnumSource(names = {"OPTIMISTIC", "COMBINING"})
    void nothingIsRefusedBecauseOfWhatAReadOnlyServerShows(Strategy strategy) throws SQLException {
        try (Inventory inventory = TestShop.patient(pool).strategy(strategy).build()) {
            failOver();
            assertThat(inventory.reserve(new StockLine(SHIRT, 101), "r-1")).isInstanceOf(Failed.class);
        }
    }

    @Test
    void nothingIsUnknownBecauseAReadOnlyServerDoesNotHaveIt() throws SQLException {
        StockKey other = new StockKey("OTHER", "TOKYO");
        try (Inventory inventory =
                TestShop.patient(pool).sweepEvery(Duration.ZERO).build()) {
            setReadOnly(true);
            pool.getHikariPoolMXBean().softEvictConnections();
            assertThat(inventory.cancel("r-1", "c-1")).isInstanceOf(Failed.class);
            assertThat(inventory.submit(new Cancel("r-1", "c-1")).join()).isInstanceOf(Failed.class);
            assertThat(inventory.repair(other, Remedy.FROM_LEDGER, "restored", "repair"))
                    .isInstanceOf(Failed.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"HY000, 1290", "HY000, 1836", "25006, 1792", "25006, 0"})
    void everyDatabaseHasItsCodeForIt(String state, int code) {
        assertThat(Fault.of(new SQLException("read-only", state, code))).isEqualTo(Fault.READ_ONLY);
    }
}
