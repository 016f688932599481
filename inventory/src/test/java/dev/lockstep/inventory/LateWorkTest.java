package dev.lockstep.inventory;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Unknown;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever was told that nobody knows may sell elsewhere: what had not got to its commit by then is not done behind his back. */
class LateWorkTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");

    @ParameterizedTest
    @EnumSource(value = Strategy.class, names = "LOCKED", mode = EnumSource.Mode.EXCLUDE)
    void isNotDoneAfterItsCallerHasGone(Strategy strategy) throws Exception {
        try (TestShop shop = TestShop.onH2();
                Inventory inventory = shop.inventory()
                        .strategy(strategy)
                        .patience(Duration.ofMillis(200))
                        .answerWithin(Duration.ofMillis(200))
                        .sweepEvery(Duration.ZERO)
                        .build()) {
            inventory.receive(line("SHIRT-001", "TOKYO", 10), "in");
            List<Connection> all = new ArrayList<>();
            for (int i = 0; i < shop.dataSource().getMaximumPoolSize(); i++) {
                all.add(shop.dataSource().getConnection());
            }
            Outcome outcome = inventory
                    .submit(new Reserve(Order.of(line("SHIRT-001", "TOKYO", 1)), "late"))
                    .join();
            assertThat(outcome).isInstanceOf(Unknown.class);
            for (Connection one : all) {
                one.close();
            }
            await().until(() -> shop.dataSource().getHikariPoolMXBean().getThreadsAwaitingConnection() == 0
                    && shop.dataSource().getHikariPoolMXBean().getActiveConnections() == 0);
            assertThat(inventory.stock(SHIRT).orElseThrow().allocated()).isZero();
            assertThat(shop.number("SELECT COUNT(*) FROM inventory_transaction WHERE request_id = 'late'"))
                    .isZero();
        }
    }
}
