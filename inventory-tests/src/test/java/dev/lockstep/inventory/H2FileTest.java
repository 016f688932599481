package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Unknown;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * H2 in a file. With {@code jdbc:h2:file:}, whoever is interrupted while he reads or writes the file closes it for everyone, until all
 * connections are closed; with {@code jdbc:h2:async:} nobody notices.
 */
@Execution(ExecutionMode.CONCURRENT)
final class H2FileTest {
    private static final StockKey SHIRT = new StockKey("SHIRT", "TOKYO");
    private static final StockLine ONE = new StockLine(SHIRT, 1);

    @TempDir
    private Path directory;

    private HikariDataSource pool(String prefix) {
        String url = "jdbc:h2:" + prefix + directory.resolve("shop") + ";WRITE_DELAY=0";
        HikariDataSource pool = TestPool.to(url, "sa", "", 16, Duration.ofSeconds(20));
        InventorySchema.on(pool).apply();
        return pool;
    }

    /** A buyer who is interrupted before each statement. */
    private static List<Outcome> buyInterrupted(HikariDataSource pool, int times, Duration patience) {
        Tap interrupt = new Tap() {
            @Override
            public void prepare(String sql) {
                Thread.currentThread().interrupt();
            }
        };
        List<Outcome> outcomes = new ArrayList<>();
        try (Inventory inventory = Inventory.builder(interrupt.on(pool))
                .strategy(Strategy.COMBINING)
                .patience(patience)
                .sweepEvery(Duration.ZERO)
                .build()) {
            for (int i = 0; i < times; i++) {
                outcomes.add(inventory.reserve(ONE, "r" + i));
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        return outcomes;
    }

    private static void receive(HikariDataSource pool) {
        try (Inventory inventory = TestShop.patient(pool).build()) {
            assertThat(inventory.receive(new StockLine(SHIRT, 100), "first")).isInstanceOf(Received.class);
        }
    }

    @Test
    void interrupts_harm_nobody_when_the_file_is_opened_as_async() throws Exception {
        try (HikariDataSource pool = pool("async:")) {
            receive(pool);
            assertThat(buyInterrupted(pool, 20, Duration.ofMinutes(2))).hasOnlyElementsOfType(Reserved.class);
            new LedgerAudit(pool).booksBalance();
        }
    }

    @Test
    void what_an_interrupt_that_closes_the_file_leaves_behind_is_settled_by_a_replay() throws Exception {
        List<Outcome> outcomes;
        try (HikariDataSource pool = pool("file:")) {
            receive(pool);
            outcomes = buyInterrupted(pool, 3, Duration.ofSeconds(15));
        }
        try (HikariDataSource pool = pool("file:");
                Inventory inventory = TestShop.patient(pool).build()) {
            LedgerAudit audit = new LedgerAudit(pool);
            Map<String, Long> ledger = audit.reservations(SHIRT);
            for (Outcome outcome : outcomes) {
                assertThat(outcome).isInstanceOfAny(Reserved.class, Unknown.class, Failed.class);
                if (!(outcome instanceof Unknown)) {
                    assertThat(ledger.containsKey(outcome.requestId()))
                            .as("%s", outcome)
                            .isEqualTo(outcome instanceof Reserved);
                }
                assertThat(inventory.reserve(ONE, outcome.requestId())).isInstanceOf(Reserved.class);
            }
            audit.booksBalance();
        }
    }

    @Test
    void closing_interrupts_no_sweep_that_is_in_the_database() throws Exception {
        CountDownLatch sweeps = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        AtomicReference<String> seen = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        Tap tap = new Tap() {
            @Override
            public void prepare(String sql) {
                if (sql.contains("expires_at <=") && first.compareAndSet(true, false)) {
                    sweeps.countDown();
                    try {
                        closed.await();
                        seen.set("undisturbed");
                    } catch (InterruptedException e) {
                        seen.set("interrupted");
                    }
                    done.countDown();
                }
            }
        };
        try (HikariDataSource pool = pool("file:")) {
            Inventory inventory = Inventory.builder(tap.on(pool))
                    .sweepEvery(Duration.ofMillis(1))
                    .build();
            sweeps.await();
            inventory.close();
            closed.countDown();
            done.await();
        }
        assertThat(seen).hasValue("undisturbed");
    }
}
