package dev.lockstep.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryBuilder;
import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.InventorySchema;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.Strategy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once")
@Timeout(240)
class InventoryMetersTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    static JdbcDataSource database() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        InventorySchema.on(dataSource).apply();
        return dataSource;
    }

    /** An inventory whose requests do not time out on a machine that stands still. */
    private static InventoryBuilder patient(JdbcDataSource database) {
        return Inventory.builder(database).patience(Duration.ofMinutes(1)).answerWithin(Duration.ofMinutes(1));
    }

    @Test
    void commandsBatchesAndLocksAreReported() {
        try (Inventory inventory =
                        patient(database()).strategy(Strategy.PESSIMISTIC).build();
                InventoryMeters meters = new InventoryMeters(inventory)) {
            meters.bindTo(registry);
            inventory.receive(StockLine.line("S", "T", 2), "in");
            inventory.reserve(StockLine.line("S", "T", 2), "r1");
            inventory.reserve(StockLine.line("S", "T", 1), "r2");
            awaitAnswer("receive", "received");
            awaitAnswer("reserve", "reserved");
            awaitAnswer("reserve", "out-of-stock");
            await().untilAsserted(() -> assertThat(registry.get("lockstep.inventory.batch.commands")
                            .summary()
                            .totalAmount())
                    .isEqualTo((double) inventory.figures().commands())
                    .isBetween(2.0, 3.0)); // the last is answered from memory only if it comes soon
            await().untilAsserted(() -> assertThat(
                            registry.get("lockstep.inventory.locked").timer().count())
                    .isEqualTo(registry.get("lockstep.inventory.batch.commands")
                            .summary()
                            .count()));
            assertThat(registry.get("lockstep.inventory.attempts")
                            .functionCounter()
                            .count())
                    .isEqualTo((double) inventory.figures().attempts())
                    .isPositive();
            assertThat(registry.get("lockstep.inventory.conflicts")
                            .functionCounter()
                            .count())
                    .isZero();
            assertThat(registry.get("lockstep.inventory.inflight.commands")
                            .gauge()
                            .value())
                    .isZero();
        }
    }

    private void awaitAnswer(String command, String outcome) {
        await().until(() -> registry.find("lockstep.inventory.answer")
                        .tags("command", command, "outcome", outcome)
                        .timer()
                != null);
    }

    @Test
    void alertsCountByWhatTheyAreAbout() throws Exception {
        JdbcDataSource database = database();
        try (Inventory inventory = patient(database).build();
                InventoryMeters meters = new InventoryMeters(inventory)) {
            meters.bindTo(registry);
            assertThat(alerts("books-disagree")).isZero();
            inventory.receive(StockLine.line("S", "T", 2), "in");
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE inventory_location SET physical_qty = 7");
            }
            inventory.reconcile(found -> {});
            assertThat(alerts("books-disagree")).isEqualTo(1);
            assertThat(alerts("negative-stock")).isZero();
        }
    }

    private double alerts(String alert) {
        return registry.get("lockstep.inventory.alerts")
                .tag("alert", alert)
                .functionCounter()
                .count();
    }

    @Test
    void droppedEventsAndChangesOfStrategyAreReported() {
        InventoryEventMeters meters = new InventoryEventMeters(registry);
        meters.on(new InventoryEvent.Dropped(Instant.EPOCH, 42));
        meters.on(new InventoryEvent.StrategyChanged(
                Instant.EPOCH, new StockKey("S", "T"), Strategy.OPTIMISTIC, Strategy.COMBINING, "conflicts"));
        assertThat(registry.get("lockstep.inventory.dropped.events").counter().count())
                .isEqualTo(42);
        assertThat(registry.get("lockstep.inventory.strategy.changes")
                        .tag("to", "combining")
                        .counter()
                        .count())
                .isEqualTo(1);
    }
}
