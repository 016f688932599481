package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.Tables;
import dev.lockstep.inventory.sql.Session;
import dev.lockstep.inventory.sql.TimeLimits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whether a reservation's time is over is judged by the database's clock, after the wait for the lock. */
interface ClockContract extends BackOffice {
    @Test
    default void theClockGoesOnWithinATransaction() throws SQLException {
        Database database = new Database(shop().dataSource(), new TimeLimits(60_000, 60_000));
        try (Session session = database.begin()) {
            Tables tables = database.tables(session);
            tables.ofSku(session.connection(), "any");
            LocalDateTime first = tables.now(session.connection());
            assertThat(first.toInstant(ZoneOffset.UTC)).isCloseTo(Instant.now(), within(5, ChronoUnit.MINUTES));
            await().until(() -> tables.now(session.connection()).isAfter(first));
        }
    }

    @Test
    default void whoWaitsForTheLockUntilHisReservationIsOverCannotShipIt() throws SQLException {
        receive(SHIRT, 10, "in");
        Order order = Order.of(new StockLine(SHIRT, 1)).heldFor(Duration.ofSeconds(1));
        Reserved reserved = (Reserved) inventory().reserve(order, "r1");
        CompletableFuture<Outcome> ship;
        try (Inventory waiting = shop().inventory()
                        .strategy(Strategy.PESSIMISTIC)
                        .sweepEvery(Duration.ZERO)
                        .build();
                Connection other = shop().dataSource().getConnection()) {
            other.setAutoCommit(false);
            lockShirts(other);
            ship = waiting.submit(new Ship("r1", "ship"));
            await().until(() -> serverTime().isAfter(reserved.expiresAt().orElseThrow()));
            other.rollback();
            assertThat(ship.join())
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejection.EXPIRED));
        }
    }

    private static void lockShirts(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("SELECT * FROM inventory_location WHERE sku = 'SHIRT-001' FOR UPDATE");
        }
    }

    private Instant serverTime() throws SQLException {
        Database database = new Database(shop().dataSource(), new TimeLimits(60_000, 60_000));
        try (Session session = database.begin()) {
            return database.tables(session).now(session.connection()).toInstant(ZoneOffset.UTC);
        }
    }
}
