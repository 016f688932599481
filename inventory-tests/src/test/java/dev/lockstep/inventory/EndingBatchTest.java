package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Received;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reservations of one stock that end together end with one statement for each way to end. */
@Timeout(120)
class EndingBatchTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");
    private static final int HOLDS = 100;

    /** Holds the first commit after {@link #hold} until it is released, and counts what is prepared. */
    private static final class Statements implements Tap {
        private final AtomicInteger ends = new AtomicInteger();
        private final AtomicInteger lookUps = new AtomicInteger();
        private final AtomicInteger held = new AtomicInteger();
        private volatile CountDownLatch release = new CountDownLatch(0);

        @Override
        public void prepare(String sql) {
            if (sql.contains("UPDATE inventory_reservation")) {
                ends.incrementAndGet();
            }
            if (sql.contains("FROM inventory_reservation")) {
                lookUps.incrementAndGet();
            }
        }

        @Override
        public void commit(Connection real) throws SQLException {
            held.incrementAndGet();
            await().until(() -> release.getCount() == 0);
            real.commit();
        }
    }

    @Test
    void takesOneStatementForEachWayToEnd() throws SQLException {
        Statements statements = new Statements();
        try (TestShop shop = TestShop.onH2();
                Inventory inventory = TestShop.patient(statements.on(shop.dataSource()))
                        .strategy(Strategy.COMBINING)
                        .build()) {
            assertThat(inventory.receive(new StockLine(SHIRT, HOLDS + 1), "in")).isInstanceOf(Received.class);
            reserveAll(inventory);
            statements.release = new CountDownLatch(1);
            statements.held.set(0);
            CompletableFuture<Outcome> leader = reserve(inventory, "leader");
            await().until(() -> statements.held.get() == 1);
            statements.lookUps.set(0);

            List<CompletableFuture<Outcome>> ends = new ArrayList<>();
            for (int i = 0; i < HOLDS; i++) {
                ends.add(inventory.submit(i % 2 == 0 ? new Cancel("r-" + i, "c-" + i) : new Ship("r-" + i, "s-" + i)));
            }
            await().until(() -> statements.lookUps.get() >= 2);
            statements.release.countDown();

            ends.forEach(end -> assertThat(end.join()).isInstanceOf(Accepted.class));
            assertThat(leader.join()).isInstanceOf(Accepted.class);
            assertThat(statements.ends).hasValueLessThan(HOLDS / 2);
            assertThat(statements.lookUps).hasValueLessThan(HOLDS / 2);
            assertThat(inventory.stock(SHIRT)).contains(new Stock(SHIRT, HOLDS / 2 + 1, 1, 2 * HOLDS + 2));
            new LedgerAudit(shop.dataSource()).booksBalance();
        }
    }

    private static void reserveAll(Inventory inventory) {
        List<CompletableFuture<Outcome>> all = new ArrayList<>();
        for (int i = 0; i < HOLDS; i++) {
            all.add(reserve(inventory, "r-" + i));
        }
        all.forEach(one -> assertThat(one.join()).isInstanceOf(Accepted.class));
    }

    private static CompletableFuture<Outcome> reserve(Inventory inventory, String id) {
        return inventory.submit(new Reserve(Order.of(new StockLine(SHIRT, 1)), id));
    }
}
