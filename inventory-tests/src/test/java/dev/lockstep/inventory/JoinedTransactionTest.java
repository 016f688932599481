package dev.lockstep.inventory;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.testservers.ServerKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A reservation in the caller's own transaction is part of it. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class JoinedTransactionTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");
    private static final StockKey HAT = new StockKey("HAT-001", "TOKYO");

    static Stream<String> databases() {
        return Stream.of("H2", "MYSQL", "MARIADB", "POSTGRES");
    }

    private static TestShop shop(String database) throws SQLException {
        TestShop shop = database.equals("H2") ? TestShop.onH2() : TestShop.on(ServerKind.valueOf(database));
        shop.sql("CREATE TABLE shop_order (id varchar(64) PRIMARY KEY)");
        return shop;
    }

    private static Connection begin(TestShop shop) throws SQLException {
        Connection connection = shop.dataSource().getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return connection;
    }

    private static void insertOrder(Connection connection, String id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO shop_order VALUES ('" + id + "')");
        }
    }

    private static Order order(long shirts, long hats) {
        return Order.of(line("SHIRT-001", "TOKYO", shirts), line("HAT-001", "TOKYO", hats));
    }

    private static Inventory open(TestShop shop) {
        Inventory inventory = shop.inventory().sweepEvery(Duration.ZERO).build();
        inventory.receive(order(10, 3).lines(), "in");
        return inventory;
    }

    @ParameterizedTest
    @MethodSource("databases")
    void itIsReservedIfTheCallerCommitsAndOnlyThen(String database) throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop);
                Connection connection = begin(shop)) {
            insertOrder(connection, "o1");
            assertThat(inventory.reserve(connection, order(2, 1), "r1")).isInstanceOf(Reserved.class);
            connection.rollback();
            assertThat(inventory.stock(SHIRT)).contains(new Stock(SHIRT, 10, 0, 1));
            assertThat(inventory.reservation("r1")).isEmpty();

            insertOrder(connection, "o1");
            Outcome reserved = inventory.reserve(connection, order(2, 1), "r1");
            connection.commit();
            assertThat(reserved).isInstanceOf(Reserved.class);
            assertThat(shop.number("SELECT COUNT(*) FROM shop_order")).isEqualTo(1);
            assertThat(inventory.stock(SHIRT)).contains(new Stock(SHIRT, 10, 2, 2));
            assertThat(inventory.reserve(order(2, 1), "r1")).isEqualTo(reserved);
            assertThat(inventory.reserve(connection, order(2, 1), "r1")).isEqualTo(reserved);
            assertThat(inventory.reserve(connection, order(2, 2), "r1"))
                    .isInstanceOfSatisfying(
                            Rejected.class, reused -> assertThat(reused.why()).isEqualTo(Rejection.REQUEST_ID_REUSED));
            connection.rollback();
            assertThat(inventory.changes(0, 100)).hasSize(4);
            assertThat(inventory.reconcile(found -> {}).isClean()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void whatIsOutOfStockLeavesTheTransactionUsable(String database) throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop);
                Connection connection = begin(shop)) {
            assertThat(inventory.reserve(connection, order(1, 4), "r1")).isInstanceOf(OutOfStock.class);
            insertOrder(connection, "backorder");
            assertThat(inventory.reserve(connection, Order.of(), "r2")).isInstanceOf(Rejected.class);
            connection.commit();
            assertThat(shop.number("SELECT COUNT(*) FROM shop_order")).isEqualTo(1);
            assertThat(inventory.stock(SHIRT)).contains(new Stock(SHIRT, 10, 0, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void otherSalesWaitForTheEndOfTheTransaction(String database) throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop);
                Connection connection = begin(shop)) {
            inventory.pin(HAT, Strategy.COMBINING);
            assertThat(inventory.reserve(connection, order(1, 2), "r1")).isInstanceOf(Reserved.class);
            CompletableFuture<Outcome> other =
                    inventory.submit(new Reserve(Order.of(line("HAT-001", "TOKYO", 2)), "r2"));
            connection.commit();
            assertThat(other.join()).isInstanceOf(OutOfStock.class);
            assertThat(inventory.stock(HAT)).contains(new Stock(HAT, 3, 2, 2));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void rowsThatOthersHaveLockedAreWaitedForAsLongAsThePatience(String database) throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop);
                Inventory hasty = Inventory.builder(shop.dataSource())
                        .patience(Duration.ofSeconds(1))
                        .answerWithin(Duration.ofMinutes(1))
                        .build();
                Connection connection = begin(shop)) {
            try (RowLock lock = RowLock.on(shop.dataSource(), HAT)) {
                assertThat(lock.connection().isClosed()).isFalse();
                assertThatThrownBy(() -> hasty.reserve(connection, order(1, 1), "r1"))
                        .isInstanceOfSatisfying(LockException.class, late -> {
                            assertThat(late.code()).isEqualTo(ErrorCode.TIMEOUT);
                            assertThat(late.retryable()).isTrue();
                        })
                        .hasMessage(
                                "The rows of 'r1' were not locked within PT1S. Roll the transaction back, and repeat it.");
            }
            connection.rollback();
            assertThat(inventory.reserve(connection, order(1, 1), "r1")).isInstanceOf(Reserved.class);
            connection.commit();
            assertThat(inventory.stock(HAT)).contains(new Stock(HAT, 3, 1, 2));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void withoutATransactionItIsRefused(String database) throws Exception {
        try (TestShop shop = shop(database);
                Inventory inventory = open(shop);
                Connection connection = shop.dataSource().getConnection()) {
            assertThatThrownBy(() -> inventory.reserve(connection, order(1, 1), "r1"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageStartingWith("The connection is in autocommit mode");
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            assertThatThrownBy(() -> inventory.reserve(connection, order(1, 1), "r1"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageStartingWith("The isolation of the connection must be READ COMMITTED, but was 8");
            connection.rollback();
        }
    }

    @Test
    void theCallersTransactionIsPlannedAsBefore() throws Exception {
        try (TestShop shop = shop("POSTGRES");
                Inventory inventory = open(shop);
                Connection connection = begin(shop)) {
            inventory.reserve(connection, order(1, 1), "r1");
            try (Statement statement = connection.createStatement();
                    ResultSet option = statement.executeQuery("SHOW enable_seqscan")) {
                option.next();
                assertThat(option.getString(1)).isEqualTo("on");
            }
            connection.rollback();
        }
    }

    @Test
    void anH2FileIsRefused(@TempDir Path folder) throws Exception {
        try (HikariDataSource file = TestPool.to("jdbc:h2:async:" + folder.resolve("shop"), "sa", "");
                Inventory inventory = Inventory.on(file);
                Connection connection = file.getConnection()) {
            InventorySchema.on(file).apply();
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> inventory.reserve(connection, order(1, 1), "r1"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageStartingWith("In an H2 file,");
        }
    }
}
