package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.InventoryEvent.StrategyChanged;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The adaptive strategy on a database, with conflicts as the test wants them. */
final class AdaptiveTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");

    private final AtomicInteger conflictsToCome = new AtomicInteger();
    private final AtomicInteger readsUnderLock = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final Queue<StrategyChanged> changes = new ConcurrentLinkedQueue<>();
    private TestShop shop;

    private final Tap tap = new Tap() {
        @Override
        public void prepare(String sql) throws SQLException {
            if (sql.endsWith("FOR UPDATE")) {
                readsUnderLock.incrementAndGet();
            }
            if (sql.startsWith("UPDATE inventory_location")
                    && conflictsToCome.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                shop.sql("UPDATE inventory_location SET version = version + 1");
            }
        }
    };

    @BeforeEach
    void open() {
        shop = TestShop.onH2();
    }

    @AfterEach
    void close() throws SQLException {
        shop.close();
    }

    private void buy(Inventory inventory, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r" + requests.incrementAndGet()))
                    .isInstanceOf(Reserved.class);
        }
    }

    /** One request that meets a conflict first. Whether it then goes on under the row's lock is what the strategy decides. */
    private void buyAfterConflict(Inventory inventory) {
        conflictsToCome.set(1);
        buy(inventory, 1);
    }

    private static Strategy strategyNow(Inventory inventory) {
        return inventory.strategies().stream()
                .filter(view -> view.key().equals(SHIRT))
                .findFirst()
                .orElseThrow()
                .strategy();
    }

    @Test
    void above_a_tenth_of_conflicts_stock_is_combined_and_optimistic_again_once_requests_come_alone() {
        LeapingClock clock = new LeapingClock();
        try (Inventory inventory = adaptive(clock)) {
            assertThat(inventory.receive(new StockLine(SHIRT, 1_000), "in")).isInstanceOf(Received.class);
            buy(inventory, 88);
            for (int conflicts = 1; conflicts <= 11; conflicts++) { // the last one is at the 110th attempt
                buyAfterConflict(inventory);
            }
            assertThat(inventory.figures().conflicts()).isEqualTo(11);
            assertThat(strategyNow(inventory)).isEqualTo(Strategy.OPTIMISTIC);
            assertThat(readsUnderLock).hasValue(0);

            buyAfterConflict(inventory);
            assertThat(strategyNow(inventory)).isEqualTo(Strategy.COMBINING);
            assertThat(readsUnderLock).hasValue(1);

            clock.advance(Duration.ofSeconds(5));
            buy(inventory, 1);
            assertThat(readsUnderLock).hasValue(2);
            assertThat(strategyNow(inventory)).isEqualTo(Strategy.OPTIMISTIC);
            buy(inventory, 1);
            assertThat(readsUnderLock).hasValue(2);
            await().until(() -> changes.size() == 2);
        }
        assertThat(changes).extracting(StrategyChanged::to).containsExactly(Strategy.COMBINING, Strategy.OPTIMISTIC);
    }

    @Test
    void pinned_stock_is_combined_from_the_first_request_on_however_quiet_it_is() {
        LeapingClock clock = new LeapingClock();
        try (Inventory inventory = adaptive(clock)) {
            assertThat(inventory.receive(List.of(new StockLine(SHIRT, 600), new StockLine(SHIRT, 400)), "in"))
                    .isInstanceOf(Received.class);
            inventory.pin(SHIRT, Strategy.COMBINING);
            buy(inventory, 1);
            assertThat(readsUnderLock).hasValue(1);
            clock.advance(Duration.ofMinutes(1));
            buy(inventory, 1);
            assertThat(readsUnderLock).hasValue(2);
            assertThat(strategyNow(inventory)).isEqualTo(Strategy.COMBINING);

            inventory.unpin(SHIRT);
            clock.advance(Duration.ofSeconds(5));
            buy(inventory, 2);
            assertThat(strategyNow(inventory)).isEqualTo(Strategy.OPTIMISTIC);

            inventory.pin(SHIRT, Strategy.OPTIMISTIC);
            for (int i = 0; i < 30; i++) {
                buyAfterConflict(inventory);
            }
            assertThat(strategyNow(inventory)).isEqualTo(Strategy.OPTIMISTIC);
            await().until(() -> changes.size() == 2);
        }
        assertThat(changes).extracting(StrategyChanged::to).containsExactly(Strategy.COMBINING, Strategy.OPTIMISTIC);
    }

    @Test
    void what_can_not_be_pinned_is_refused() {
        try (Inventory adaptive = adaptive(new LeapingClock());
                Inventory combining =
                        shop.inventory().strategy(Strategy.COMBINING).build()) {
            assertThatThrownBy(() -> adaptive.pin(SHIRT, Strategy.LOCKED))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage("A stock can be pinned to COMBINING or OPTIMISTIC, in an inventory that is ADAPTIVE."
                            + " This one is ADAPTIVE, and SHIRT-001 at TOKYO was to be LOCKED.");
            assertThatThrownBy(() -> combining.pin(SHIRT, Strategy.COMBINING))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> adaptive.pin(new StockKey("", "TOKYO"), Strategy.COMBINING))
                    .isInstanceOf(InvalidRequestException.class);
            adaptive.unpin(SHIRT);
        }
    }

    private Inventory adaptive(LeapingClock clock) {
        return TestShop.patient(tap.on(shop.dataSource()))
                .clock(clock)
                .retries(RetryPolicy.exponential(Duration.ofNanos(1), 1, Duration.ofNanos(1))
                        .withAttempts(4))
                .sweepEvery(Duration.ZERO)
                .listener(event -> {
                    if (event instanceof StrategyChanged change) {
                        changes.add(change);
                    }
                })
                .build();
    }
}
