package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.testservers.ServerKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The time of a change is that after its row was locked, so the ledger's times have the order of its lines. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ClockAfterLockTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void aChangeIsNotOlderThanTheWaitForItsRow(ServerKind kind) throws Exception {
        try (TestShop shop = TestShop.on(kind);
                Inventory inventory =
                        shop.inventory().strategy(Strategy.COMBINING).build()) {
            assertThat(inventory.receive(new StockLine(SHIRT, 10), "in")).isInstanceOf(Received.class);
            RowLock row = RowLock.on(shop.dataSource(), SHIRT);
            CompletableFuture<Outcome> waiting = inventory.submit(new Reserve(Order.of(new StockLine(SHIRT, 1)), "r1"));
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> shop.number("SELECT COUNT(*) FROM information_schema.processlist"
                                    + " WHERE db = DATABASE() AND info LIKE '%SELECT sku%FOR UPDATE'")
                            > 0);
            LocalDateTime before = time(shop, "SELECT UTC_TIMESTAMP(6)");
            row.close();
            assertThat(waiting.join()).isInstanceOf(Reserved.class);
            assertThat(time(shop, "SELECT created_at FROM inventory_transaction WHERE request_id = 'r1'"))
                    .isAfterOrEqualTo(before);
        }
    }

    private static LocalDateTime time(TestShop shop, String sql) throws SQLException {
        try (Connection connection = shop.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getObject(1, LocalDateTime.class);
        }
    }
}
