package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What meters show of the queues, of expiry, and of what is refused without the row. */
class FiguresTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");

    @Test
    void commandsThatWaitInALaneAreQueued() throws Exception {
        HeldCommits commits = new HeldCommits();
        try (TestShop shop = TestShop.onH2();
                Inventory open = shop.inventory().build();
                Inventory inventory = TestShop.patient(commits.on(shop.dataSource()))
                        .strategy(Strategy.COMBINING)
                        .sweepEvery(Duration.ZERO)
                        .build()) {
            open.receive(new StockLine(SHIRT, 10), "in");
            List<CompletableFuture<Outcome>> answers = new ArrayList<>();
            answers.add(reserve(inventory, "r0"));
            commits.await(1);
            assertThat(inventory.figures().queued()).isZero();
            for (int i = 1; i < 5; i++) {
                answers.add(reserve(inventory, "r" + i));
            }
            Awaitility.await().until(() -> inventory.figures().queued() == 4);
            commits.release();
            answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(Reserved.class));
            assertThat(inventory.figures().queued()).isZero();
        }
    }

    private static CompletableFuture<Outcome> reserve(Inventory inventory, String id) {
        return inventory.submit(new Reserve(Order.of(new StockLine(SHIRT, 1)), id));
    }

    @Test
    void refusalsFromMemoryAreCounted() throws SQLException {
        try (TestShop shop = TestShop.onH2();
                Inventory inventory = shop.inventory().clock(new LeapingClock()).build()) {
            inventory.receive(new StockLine(SHIRT, 1), "in");
            assertThat(inventory.reserve(new StockLine(SHIRT, 2), "r1")).isInstanceOf(OutOfStock.class);
            long read = inventory.figures().refusedFromMemory();
            assertThat(inventory.reserve(new StockLine(SHIRT, 2), "r2")).isInstanceOf(OutOfStock.class);
            assertThat(inventory.figures().refusedFromMemory()).isEqualTo(read + 1);
        }
    }

    @Test
    void expiryThatIsLateShows() throws SQLException {
        LeapingClock clock = new LeapingClock();
        clock.advance(Duration.ofMillis(System.currentTimeMillis())); // the database has its own
        try (TestShop shop = TestShop.onH2();
                Inventory inventory =
                        shop.inventory().clock(clock).sweepEvery(Duration.ZERO).build()) {
            inventory.receive(new StockLine(SHIRT, 1), "in");
            assertThat(inventory.reserve(Order.of(new StockLine(SHIRT, 1)).heldFor(Duration.ofMillis(1)), "r1"))
                    .isInstanceOf(Reserved.class);
            assertThat(inventory.figures().expiryLag()).isZero();
            clock.advance(Duration.ofMinutes(5));
            Awaitility.await().until(() -> inventory.expireDue() == 1);
            assertThat(inventory.figures().expiryLag()).isGreaterThan(Duration.ofMinutes(4));
            assertThat(inventory.expireDue()).isZero();
            assertThat(inventory.figures().expiryLag()).isZero();
        }
    }
}
