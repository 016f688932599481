package dev.lockstep.inventory;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.testservers.Scale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** H2 in a file can take back what others have committed when a transaction is rolled back beside them: ours never lose anything. */
@Tag("once")
class H2FileBooksTest {
    private static final int THREADS = 8;
    private static final int REQUESTS = Scale.pick(50, 4_000);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(value = Strategy.class, names = "LOCKED", mode = EnumSource.Mode.EXCLUDE)
    void nothingAcceptedIsLost(Strategy strategy) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:file:" + folder.resolve("shop") + ";WRITE_DELAY=0");
        config.setMaximumPoolSize(THREADS);
        config.setConnectionTimeout(TestPool.PATIENT.toMillis());
        try (HikariDataSource pool = new HikariDataSource(config)) {
            InventorySchema.on(pool).apply();
            try (Inventory first = TestShop.patient(pool).strategy(strategy).build();
                    Inventory second = TestShop.patient(pool).strategy(strategy).build()) {
                first.receive(line("SHIRT", "TOKYO", THREADS * REQUESTS + 1), "in");
                first.reserve(line("SHIRT", "TOKYO", 1), "shipped");
                assertThat(first.ship("shipped", "ship")).isInstanceOf(Accepted.class);
                long accepted = sellAndRefuse(List.of(first, second));
                Stock stock = first.stock(new StockKey("SHIRT", "TOKYO")).orElseThrow();
                assertThat(stock.allocated()).isEqualTo(accepted);
                assertThat(stock.version()).isEqualTo(accepted + 3);
                assertThat(first.reconcile(found -> {}).discrepancies()).isZero();
            }
        }
    }

    /** Half of all requests are refused under the row's lock, so that transactions end without a commit beside those that end with one. */
    private static long sellAndRefuse(List<Inventory> inventories) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<Long>> sold = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int me = t;
            sold.add(threads.submit(() -> sell(inventories.get(me % 2), me)));
        }
        long accepted = 0;
        for (Future<Long> one : sold) {
            accepted += one.get();
        }
        threads.shutdown();
        return accepted;
    }

    private static long sell(Inventory inventory, int me) {
        long accepted = 0;
        for (int i = 0; i < REQUESTS; i++) {
            if (inventory.reserve(line("SHIRT", "TOKYO", 1), me + "-" + i) instanceof Accepted) {
                accepted++;
            }
            assertThat(inventory.ship("shipped", me + "-again-" + i)).isInstanceOf(Rejected.class);
        }
        return accepted;
    }
}
