package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.InventoryEvent.ConflictRateHigh;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The three cases of the business rule on stock contention. */
interface CasesContract extends ShopStage {
    String BUSY = "現在、アクセスが集中しています。少し時間をおいて再度お試しください。";

    /** Whether all who come at once read before one of them writes. */
    private boolean readsWithoutLock() {
        return strategy() == Strategy.OPTIMISTIC || strategy() == Strategy.ADAPTIVE;
    }

    /** An inventory where so many surely meet, if its strategy lets them. */
    private InventoryBuilder meeting(int parties) {
        return readsWithoutLock() ? builder(MeetingPoint.of(shop().dataSource(), parties)) : builder();
    }

    InventoryBuilder builder(DataSource dataSource);

    /**
     * On a clock that hardly moves: a conflict rate is that of about a second, and a slow machine needs more for a hundred buyers. Without the sweeper,
     * whose pauses would move it.
     */
    private static InventoryBuilder inOneMoment(InventoryBuilder builder) {
        return builder.clock(new LeapingClock())
                .sweepEvery(Duration.ZERO)
                .retries(RetryPolicy.exponential(Duration.ofNanos(1), 1, Duration.ofNanos(1))
                        .withAttempts(4));
    }

    /** Does commands at the same time, each on a thread of its own. */
    private static List<Outcome> atOnce(Inventory inventory, List<? extends Command> commands) {
        ExecutorService threads = Executors.newFixedThreadPool(commands.size());
        CountDownLatch ready = new CountDownLatch(commands.size());
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (Command command : commands) {
            outcomes.add(CompletableFuture.supplyAsync(
                    () -> {
                        ready.countDown();
                        await().until(() -> ready.getCount() == 0);
                        return inventory.execute(command);
                    },
                    threads));
        }
        try {
            return outcomes.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdown();
        }
    }

    @Test
    @DisplayName("ケース1: 正常系 - 楽観ロック成功")
    default void case1TwoBuyersAtOnce() throws SQLException {
        StockKey shirt = freshKey();
        open(new Stock(shirt, 100, 20, 5));

        try (Inventory inventory = meeting(2).build()) {
            List<Outcome> outcomes = atOnce(
                    inventory,
                    List.of(new Reserve(Order.of(of(shirt, 2)), id()), new Reserve(Order.of(of(shirt, 3)), id())));

            assertThat(outcomes).hasOnlyElementsOfType(Reserved.class);
            assertThat(outcomes)
                    .extracting(outcome ->
                            ((Reserved) outcome).changes().get(0).after().version())
                    .containsExactlyInAnyOrder(6L, 7L);
            assertThat(inventory.figures().conflicts()).isEqualTo(readsWithoutLock() ? 1 : 0);
        }
        assertStock(shirt, 100, 25, 7);
    }

    @Test
    @DisplayName("ケース2: 異常系 - リトライ上限到達")
    default void case2AHundredBuyersAndTenLeft() throws SQLException {
        StockKey limited = stocked(10);
        List<Reserve> buyers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            buyers.add(new Reserve(Order.of(of(limited, 1)), id()));
        }
        Queue<InventoryEvent> alerts = new ConcurrentLinkedQueue<>();

        InventoryListener collector = event -> {
            if (event instanceof ConflictRateHigh) {
                alerts.add(event);
            }
        };

        try (Inventory inventory = inOneMoment(meeting(12)).listener(collector).build()) {
            List<Outcome> outcomes = atOnce(inventory, buyers);

            long sold = outcomes.stream().filter(Reserved.class::isInstance).count();
            List<Outcome> gaveUp =
                    outcomes.stream().filter(GaveUp.class::isInstance).toList();
            long outOfStock =
                    outcomes.stream().filter(OutOfStock.class::isInstance).count();
            assertThat(sold + gaveUp.size() + outOfStock).isEqualTo(100);
            if (strategy() == Strategy.OPTIMISTIC) {
                assertThat(sold).isBetween(1L, 10L);
                assertThat(sold < 10 && gaveUp.isEmpty()).isFalse();
            } else {
                assertThat(sold).isEqualTo(10);
                assertThat(gaveUp).isEmpty();
            }
            assertThat(gaveUp)
                    .allMatch(outcome -> outcome.message(Locale.JAPANESE).equals(BUSY));
            if (readsWithoutLock()) {
                await("the alert").until(() -> !alerts.isEmpty());
                assertThat(inventory.figures().alerts()).containsKey("ConflictRateHigh");
            }
            assertStock(limited, 10, sold, 1 + sold);
        }
    }

    @Test
    @DisplayName("ケース3: 境界値 - 在庫ゼロからの復活")
    default void case3ACancellationAndABuyerMeetAtZero() throws SQLException {
        StockKey key = freshKey();
        open(new Stock(key, 10, 7, 14));
        Reserved hold = reserved(key, 3);
        assertStock(key, 10, 10, 15);

        List<Outcome> cancelled = new ArrayList<>();
        Runnable cancel = () -> cancelled.add(inventory().cancel(hold.id(), id()));
        if (!readsWithoutLock()) {
            cancel.run(); // while the buyer holds the row nobody can: one of them is first
        }

        try (Inventory inventory = readsWithoutLock()
                ? builder(MeetingPoint.betweenLooks(shop().dataSource(), cancel))
                        .build()
                : builder().build()) {
            Outcome bought = inventory.reserve(of(key, 2), id());

            assertThat(cancelled).hasSize(1);
            assertThat(assertIs(Cancelled.class, cancelled.get(0)).changes())
                    .containsExactly(new Change(0, -3, new Stock(key, 10, 7, 16)));
            assertThat(assertIs(Reserved.class, bought).changes())
                    .containsExactly(new Change(0, 2, new Stock(key, 10, 9, 17)));
            assertThat(inventory.figures().conflicts()).isEqualTo(readsWithoutLock() ? 1 : 0);
        }
        assertThat(inventory().stock(key).orElseThrow().available()).isEqualTo(1);
    }
}
