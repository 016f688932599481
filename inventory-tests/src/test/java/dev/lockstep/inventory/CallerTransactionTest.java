package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class CallerTransactionTest {
    private static final StockLine SHIRT = StockLine.line("SHIRT-001", "TOKYO", 1);

    @Test
    void aCommandInsideATransactionOfTheSamePoolIsReported() throws SQLException {
        try (TestShop shop = TestShop.onH2();
                AlertProbe probe = new AlertProbe();
                Inventory inventory = shop.inventory().listener(probe).build()) {
            assertThat(inventory.receive(SHIRT, "in")).isInstanceOf(Received.class);
            assertThat(inventory.figures().alerts()).doesNotContainKey("CalledInTransaction");

            TransactionSynchronizationManager.bindResource(shop.dataSource());
            try {
                assertThat(inventory.execute(new Reserve(Order.of(SHIRT), "order-1")))
                        .isInstanceOf(Reserved.class);
            } finally {
                TransactionSynchronizationManager.unbindResource(shop.dataSource());
            }

            assertThat(inventory.figures().alerts()).containsEntry("CalledInTransaction", 1L);
            assertThat(probe.lines("order-1"))
                    .singleElement()
                    .asString()
                    .startsWith("WARN Reserve 'order-1' was called inside a transaction on the same DataSource.")
                    .endsWith("or give the inventory a separate pool.");
        }
    }

    @Test
    void aTransactionOfAnotherPoolIsNoConcern() throws SQLException {
        try (TestShop shop = TestShop.onH2();
                TestShop other = TestShop.onH2();
                Inventory inventory = shop.inventory().build()) {
            TransactionSynchronizationManager.bindResource(other.dataSource());
            try {
                assertThat(inventory.receive(SHIRT, "in")).isInstanceOf(Received.class);
            } finally {
                TransactionSynchronizationManager.unbindResource(other.dataSource());
            }
            assertThat(inventory.figures().alerts()).isEmpty();
        }
    }
}
