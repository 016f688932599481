package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.Answered;
import dev.lockstep.inventory.InventoryEvent.ConflictRateHigh;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import dev.lockstep.inventory.InventoryEvent.LockHeldLong;
import dev.lockstep.inventory.InventoryEvent.NegativeStock;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.OutOfStock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a person should look at is told in the log, as an event and in the figures. */
@Timeout(300)
class AlertsTest {
    private final StockKey key = new StockKey("SHIRT-" + UUID.randomUUID(), "TOKYO");
    private final AlertProbe probe = new AlertProbe();
    private final LeapingClock clock = new LeapingClock();
    private TestShop shop;

    @BeforeEach
    void openUp() {
        shop = TestShop.onH2();
    }

    @AfterEach
    void closeDown() throws SQLException {
        probe.close();
        shop.close();
    }

    /** On a clock that only pauses move, so that no lock is held for long, however slow the machine is. */
    private InventoryBuilder quiet(InventoryBuilder builder) {
        return builder.clock(clock).sweepEvery(Duration.ZERO).listener(probe);
    }

    private StockLine pieces(long quantity) {
        return new StockLine(key, quantity);
    }

    private void makeNegative(Inventory inventory) throws SQLException {
        inventory.receive(pieces(5), "in");
        shop.sql("ALTER TABLE inventory_location DROP CONSTRAINT inventory_location_physical");
        shop.sql("ALTER TABLE inventory_location DROP CONSTRAINT inventory_location_allocated");
        shop.sql("UPDATE inventory_location SET physical_qty = -3");
    }

    @Test
    void negativeStockIsToldAtOnceToWhoeverMeetsIt() throws SQLException {
        try (Inventory inventory = quiet(shop.inventory()).build()) {
            makeNegative(inventory);
            assertThat(inventory.reserve(pieces(1), "r1")).isInstanceOf(OutOfStock.class);
            assertThat(probe.lines(key.sku()))
                    .containsExactly("ERROR Negative stock: of " + key
                            + " there are -3 in stock and 0 reserved, so -3 to sell (version 1). The row was changed"
                            + " past its guards: see that the table has its CHECKs, look at the stock's lines in"
                            + " inventory_transaction, and repair() it.");
            assertThat(inventory.figures().alerts()).containsEntry("NegativeStock", 1L);
            await().until(() -> probe.events().stream().anyMatch(event -> isAnswerTo(event, "r1")));
            await().until(() -> probe.events().stream().anyMatch(Alert.class::isInstance));
            assertThat(probe.events().stream().filter(Alert.class::isInstance))
                    .singleElement()
                    .satisfies(
                            alert -> assertThat(((NegativeStock) alert).stock()).isEqualTo(new Stock(key, -3, 0, 1)));
        }
    }

    private static boolean isAnswerTo(InventoryEvent event, String id) {
        return event instanceof Answered answered
                && answered.outcome().requestId().equals(id);
    }

    @Test
    void negativeStockIsAlsoToldWhenSomeoneOnlyAsks() throws SQLException {
        try (Inventory inventory = quiet(shop.inventory()).build()) {
            makeNegative(inventory);
            inventory.stock(key);
            inventory.stock(key.sku());
            assertThat(inventory.figures().alerts()).containsEntry("NegativeStock", 2L);
            assertThat(probe.lines(key.sku())).hasSize(1);
        }
    }

    @Test
    void aConflictRateAboveATenthIsTold() {
        Tap others = new Tap() {
            @Override
            public void prepare(String sql) throws SQLException {
                if (sql.startsWith("UPDATE inventory_location")) {
                    shop.sql("UPDATE inventory_location SET version = version + 1");
                }
            }
        };
        RetryPolicy soon = RetryPolicy.exponential(Duration.ofMillis(1), 1, Duration.ofMillis(1))
                .withAttempts(4);
        try (Inventory calm = quiet(shop.inventory()).build();
                Inventory inventory = quiet(Inventory.builder(others.on(shop.dataSource())))
                        .strategy(Strategy.OPTIMISTIC)
                        .retries(soon)
                        .build()) {
            calm.receive(pieces(100), "in");
            for (int i = 0; i < 5; i++) {
                assertThat(inventory.reserve(pieces(1), "r" + i)).isInstanceOf(GaveUp.class);
            }
            assertThat(probe.lines(key.sku()))
                    .containsExactly("WARN Contention: 100% of the last 20 attempts to change " + key
                            + " met others, and 10% is the limit. The strategies ADAPTIVE and COMBINING have no such"
                            + " conflicts; with ADAPTIVE nothing is to be done.");
            assertThat(inventory.figures().alerts()).containsEntry("ConflictRateHigh", 1L);
            await().until(() -> probe.events().stream()
                    .anyMatch(event -> event instanceof ConflictRateHigh high && high.rate() == 1.0));
        }
    }

    @Test
    void aLockOverAHundredMillisecondsIsTold() {
        Duration[] commitTakes = {Duration.ofMillis(100)};
        Tap slow = new Tap() {
            @Override
            public void commit(Connection real) throws SQLException {
                real.commit();
                clock.advance(commitTakes[0]);
            }
        };
        try (Inventory inventory = quiet(Inventory.builder(slow.on(shop.dataSource())))
                .strategy(Strategy.PESSIMISTIC)
                .build()) {
            inventory.receive(pieces(100), "in");
            assertThat(inventory.figures().alerts()).isEmpty();
            commitTakes[0] = Duration.ofMillis(101);
            inventory.receive(pieces(100), "more");
            assertThat(probe.lines(key.sku()))
                    .containsExactly(
                            "WARN Long lock: " + key + " was locked for 101 ms, and the goal is 100 ms. Look at"
                                    + " the database's disk, the network, garbage collection, and at orders of very many lines.");
            assertThat(inventory.figures().alerts()).containsEntry("LockHeldLong", 1L);
            await().until(() -> probe.events().stream()
                    .anyMatch(event ->
                            event instanceof LockHeldLong held && held.held().equals(Duration.ofMillis(101))));
        }
    }

    @Test
    void theWaitForARowIsNoLongLock() throws SQLException {
        Tap busyRow = new Tap() {
            @Override
            public void prepare(String sql) {
                if (sql.startsWith("UPDATE inventory_location")) {
                    clock.advance(Duration.ofSeconds(2)); // as if another transaction held the row for so long
                }
            }
        };
        try (Inventory inventory = quiet(TestShop.patient(busyRow.on(shop.dataSource())))
                .strategy(Strategy.OPTIMISTIC)
                .build()) {
            inventory.receive(pieces(5), "in");
            inventory.reserve(pieces(1), "r1");
            assertThat(inventory.figures().alerts()).doesNotContainKey("LockHeldLong");
        }
    }

    @Test
    void aHoldThatCannotBeGivenBackIsTold() throws SQLException {
        try (Inventory inventory = quiet(shop.inventory()).build()) {
            inventory.receive(pieces(5), "in");
            inventory.reserve(Order.of(pieces(1)).heldFor(Duration.ofHours(1)), "r-" + key.sku());
            shop.sql("UPDATE inventory_reservation SET expires_at = created_at");
            shop.sql("UPDATE inventory_location SET allocated_qty = 0");
            assertThat(inventory.expireDue()).isZero();
            assertThat(probe.lines(key.sku()))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .startsWith("WARN Overdue: the reservation 'r-" + key.sku() + "' expired at ")
                            .contains("its stock was not returned"));
            assertThat(inventory.figures().alerts()).containsEntry("HoldOverdue", 1L);
            await().until(() -> probe.events().stream().anyMatch(HoldOverdue.class::isInstance));
        }
    }

    @Test
    void aHoldThatIsGivenBackABitLaterIsNotTold() throws SQLException {
        InventoryLimits one = new InventoryLimits(1, 1, 1, 1);
        try (Inventory inventory = quiet(shop.inventory()).limits(one).build()) {
            inventory.receive(pieces(5), "in");
            for (int i = 0; i < 3; i++) {
                inventory.reserve(Order.of(pieces(1)).heldFor(Duration.ofHours(1)), "r" + i);
            }
            shop.sql("UPDATE inventory_reservation SET expires_at = created_at");
            await().until(() -> inventory.expireDue() == 0);
            assertThat(inventory.figures().alerts()).isEmpty();
            assertThat(inventory.stock(key).orElseThrow().allocated()).isZero();
        }
    }
}
