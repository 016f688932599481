package dev.lockstep.inventory;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Granted;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.testkit.FakeClock;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Submitted requests that pause or wait for a contended stock leave the workers to requests for other stock. */
@Timeout(120)
class BusyWorkersTest {
    private static final StockKey CONTENDED = new StockKey("CONTENDED", "TOKYO");

    private final FakeClock clock = new FakeClock();
    private final AtomicInteger conflictsLeft = new AtomicInteger();
    private final AtomicInteger conflicts = new AtomicInteger();
    private TestShop shop;
    private Locks locks;

    /** Refuses the first writes, as a serialization failure does. */
    private final Tap conflicting = new Tap() {
        @Override
        public void prepare(String sql) throws SQLException {
            if (sql.startsWith("UPDATE inventory_location")
                    && conflictsLeft.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                conflicts.incrementAndGet();
                throw new SQLException("refused by the test", "40001");
            }
        }
    };

    @BeforeEach
    void open() {
        shop = TestShop.onH2();
        locks = TestShop.locks();
        try (Inventory inventory = shop.inventory().build()) {
            assertThat(inventory.receive(new StockLine(CONTENDED, 100), "in-1")).isInstanceOf(Received.class);
            assertThat(inventory.receive(line("QUIET", "TOKYO", 100), "in-2")).isInstanceOf(Received.class);
        }
    }

    @AfterEach
    void close() throws SQLException {
        locks.close();
        shop.close();
    }

    private Inventory open(Strategy strategy, InventoryBuilder builder) {
        return (strategy == Strategy.LOCKED ? builder.lockedBy(locks) : builder.strategy(strategy)).build();
    }

    private static CompletableFuture<Outcome> submit(Inventory inventory, String sku, String id) {
        return inventory.submit(new Reserve(Order.of(line(sku, "TOKYO", 1)), id));
    }

    private static void assertReserved(CompletableFuture<Outcome> answer) {
        assertThat(answer).succeedsWithin(Duration.ofMinutes(1)).isInstanceOf(Reserved.class);
    }

    @ParameterizedTest
    @EnumSource
    void aPauseAfterAConflictLeavesTheOnlyWorkerToOthers(Strategy strategy) {
        InventoryBuilder builder = TestShop.patient(conflicting.on(shop.dataSource()))
                .clock(clock)
                .workers(1)
                .sweepEvery(Duration.ZERO);
        try (Inventory inventory = open(strategy, builder)) {
            int toPause = strategy == Strategy.GROUP_COMMIT ? 2 : 1; // its first conflict only moves it to another lane
            conflictsLeft.set(toPause);
            CompletableFuture<Outcome> paused = submit(inventory, "CONTENDED", "paused");
            await().until(() -> conflicts.get() == toPause);

            assertReserved(submit(inventory, "QUIET", "quiet")); // while the clock stands still

            assertThat(paused).isNotDone();
            clock.advance(Duration.ofSeconds(1));
            assertReserved(paused);
        }
    }

    @Test
    void requestsForALockedRowLeaveAWorkerToOthers() throws Exception {
        try (Inventory inventory =
                open(Strategy.PESSIMISTIC, shop.inventory().workers(2).sweepEvery(Duration.ZERO))) {
            RowLock row = RowLock.on(shop.dataSource(), CONTENDED);
            List<CompletableFuture<Outcome>> waiting = crowd(inventory);
            assertReserved(submit(inventory, "QUIET", "quiet"));
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            row.close();
            waiting.forEach(BusyWorkersTest::assertReserved);
        }
    }

    @Test
    void requestsForALockThatIsHeldLeaveTheWorkersToOthers() {
        try (Inventory inventory =
                open(Strategy.LOCKED, shop.inventory().workers(1).sweepEvery(Duration.ZERO))) {
            Granted held = (Granted) locks.tryAcquire(LockRequest.exclusive(CONTENDED.lockKey()));
            List<CompletableFuture<Outcome>> waiting = crowd(inventory);
            assertReserved(submit(inventory, "QUIET", "quiet"));
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            held.lease().release();
            waiting.forEach(BusyWorkersTest::assertReserved);
        }
    }

    @Test
    void ordersThatCrossAtGatesAreAllReserved() {
        try (Inventory inventory =
                open(Strategy.PESSIMISTIC, shop.inventory().workers(2).sweepEvery(Duration.ZERO))) {
            List<CompletableFuture<Outcome>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                StockLine first = line(i % 2 == 0 ? "QUIET" : "CONTENDED", "TOKYO", 1);
                StockLine second = line(i % 2 == 0 ? "CONTENDED" : "QUIET", "TOKYO", 1);
                answers.add(inventory.submit(new Reserve(Order.of(first, second), "order-" + i)));
            }
            answers.forEach(BusyWorkersTest::assertReserved);
        }
    }

    private static List<CompletableFuture<Outcome>> crowd(Inventory inventory) {
        List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(submit(inventory, "CONTENDED", "waiting-" + i));
        }
        return waiting;
    }
}
