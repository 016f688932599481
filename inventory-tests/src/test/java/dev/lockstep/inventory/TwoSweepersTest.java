package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two processes find the same reservations due, and only one of them ends each. */
@Timeout(120)
class TwoSweepersTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");

    @ParameterizedTest
    @EnumSource(names = {"OPTIMISTIC", "COMBINING"})
    void whatTheOtherEndedIsNotCounted(Strategy strategy) throws SQLException {
        AtomicInteger endedByOther = new AtomicInteger();
        AtomicInteger connections = new AtomicInteger();
        try (TestShop shop = TestShop.onH2();
                Inventory other = shop.inventory().sweepEvery(Duration.ZERO).build()) {
            Tap overtaken = new Tap() {
                @Override
                public synchronized Connection connect(DataSource real) throws SQLException {
                    if (connections.incrementAndGet() == 2) { // with the first, it found what is due
                        endedByOther.set(other.expireDue());
                    }
                    return real.getConnection();
                }
            };
            assertThat(other.receive(new StockLine(SHIRT, 10), "in")).isInstanceOf(Received.class);
            for (int i = 0; i < 3; i++) {
                assertThat(other.reserve(Order.of(new StockLine(SHIRT, 1)).heldFor(Duration.ofHours(1)), "r-" + i))
                        .isInstanceOf(Reserved.class);
            }
            shop.sql("UPDATE inventory_reservation SET expires_at = created_at");
            try (Inventory inventory = TestShop.patient(overtaken.on(shop.dataSource()))
                    .strategy(strategy)
                    .sweepEvery(Duration.ZERO)
                    .build()) {
                assertThat(inventory.expireDue()).isZero();
                assertThat(endedByOther).hasValue(3);
                assertThat(inventory.figures().alerts()).doesNotContainKey("HoldOverdue");
            }
        }
    }
}
