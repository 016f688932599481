package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import dev.lockstep.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session of another application locks a reservation and then its stock, while the inventory ends the reservation and has locked them
 * the other way round: a deadlock, which each database resolves by rolling back the inventory's transaction.
 */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
final class DeadlockTest {
    @ParameterizedTest
    @ValueSource(strings = {"H2", "MYSQL", "MARIADB", "POSTGRES"})
    void a_deadlock_is_retried_and_the_request_succeeds(String database) throws Exception {
        try (TestShop shop = database.equals("H2") ? TestShop.onH2() : TestShop.on(ServerKind.valueOf(database));
                Locks locks = TestShop.locks()) {
            for (Strategy strategy : Strategy.values()) {
                try (Opponent opponent = new Opponent(shop, database, strategy.name());
                        Inventory inventory = open(shop, opponent, strategy, locks)) {
                    meet(inventory, opponent, strategy.name());
                }
            }
            new LedgerAudit(shop.dataSource()).booksBalance();
        }
    }

    private static Inventory open(TestShop shop, Tap tap, Strategy strategy, Locks locks) {
        InventoryBuilder builder = TestShop.patient(tap.on(shop.dataSource()))
                .answerWithin(Duration.ofSeconds(60))
                .sweepEvery(Duration.ZERO);
        return (strategy == Strategy.LOCKED ? builder.lockedBy(locks) : builder.strategy(strategy)).build();
    }

    private static void meet(Inventory inventory, Opponent opponent, String name) throws SQLException {
        StockLine ten = StockLine.line(name, "TOKYO", 10);
        assertThat(inventory.receive(ten, "in-" + name)).isInstanceOf(Received.class);
        assertThat(inventory.reserve(ten, name)).isInstanceOf(Reserved.class);
        opponent.lockReservation();

        assertThat(inventory.ship(name, "ship-" + name)).as(name).isInstanceOf(Shipped.class);

        assertThat(opponent.answer).as("the opponent's second lock").isCompleted();
        assertThat(opponent.attempts).as("attempts of the inventory").hasValue(2);
        assertThat(inventory.stock(ten.key()).orElseThrow().physical()).isZero();
    }

    /** The other session. It asks for its second lock when the inventory is about to do so, and is waiting by the time the inventory does. */
    private static final class Opponent implements Tap, AutoCloseable {
        private final AtomicInteger attempts = new AtomicInteger();
        private final CompletableFuture<Void> answer = new CompletableFuture<>();
        private final TestShop shop;
        private final String database;
        private final String name;
        private final Connection connection;

        Opponent(TestShop shop, String database, String name) throws SQLException {
            this.shop = shop;
            this.database = database;
            this.name = name;
            connection = shop.dataSource().getConnection();
            connection.setAutoCommit(false);
            if (database.equals("H2")) { // it waits for two seconds by default
                execute("SET LOCK_TIMEOUT 60000");
            }
        }

        private void execute(String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        /** Also sees to it that the database rolls back the inventory, and not this session. */
        void lockReservation() throws SQLException {
            if (database.equals("POSTGRES")) { // the session that looks for a cycle rolls itself back
                execute("SET LOCAL deadlock_timeout = '1h'");
            } else { // InnoDB rolls back the session that has written less, and H2 the one that began last
                for (int i = 0; i < 100; i++) {
                    execute(
                            "INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version, updated_at)"
                                    + " VALUES ('" + name + "', 'SHELF-" + i + "', 0, 0, 0, CURRENT_TIMESTAMP)");
                }
            }
            execute("SELECT * FROM inventory_reservation WHERE reservation_id = '" + name + "' FOR UPDATE");
        }

        /** The next attempt begins when this session has come to its end, so that there is one deadlock and no more. */
        @Override
        public Connection connect(DataSource real) throws SQLException {
            if (attempts.get() > 0) {
                await().until(answer::isDone);
            }
            return real.getConnection();
        }

        /** The inventory holds the lock of the stock now, and is about to ask for that of the reservation. */
        @Override
        public void prepare(String sql) {
            if (sql.startsWith("UPDATE inventory_reservation") && attempts.incrementAndGet() == 1) {
                var unused = CompletableFuture.runAsync(this::lockStock);
                await().ignoreExceptions() // of H2's table of sessions
                        .until(() -> answer.isDone() || shop.number(waiters()) > 0);
            }
        }

        private void lockStock() {
            try {
                execute("SELECT * FROM inventory_location WHERE sku = '" + name
                        + "' AND location = 'TOKYO' FOR UPDATE");
                connection.rollback();
                answer.complete(null);
            } catch (SQLException e) {
                answer.completeExceptionally(new CompletionException(e));
            }
        }

        private String waiters() {
            return switch (database) {
                case "H2" -> "SELECT COUNT(*) FROM information_schema.sessions WHERE session_state = 'BLOCKED'";
                case "POSTGRES" ->
                    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
                default -> "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
            };
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.close();
        }
    }
}
