package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** On H2 too, no connection has to stay open for the tables to work: a pool gives each up some day. */
class H2WithoutPoolTest {
    @Test
    void theTablesWorkWhenTheConnectionThatMadeThemIsClosed() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        InventorySchema.on(dataSource).apply();
        StockLine shirts = StockLine.line("SHIRT-001", "TOKYO", 2);
        try (Inventory inventory = TestShop.patient(dataSource).build()) {
            assertThat(inventory.receive(shirts, "in")).isInstanceOf(Received.class);
            assertThat(inventory.reserve(shirts, "order")).isInstanceOf(Reserved.class);
            assertThat(inventory.cancel("order", "cancel")).isInstanceOf(Cancelled.class);
        }
    }
}
