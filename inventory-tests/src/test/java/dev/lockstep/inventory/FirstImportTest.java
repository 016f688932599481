package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Outcome.Received;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FirstImportTest {
    private static final int SKUS = 600;

    private static List<StockLine> lines() {
        return IntStream.range(0, SKUS)
                .mapToObj(i -> StockLine.line("SKU-" + i, "TOKYO", 5))
                .toList();
    }

    @Test
    void newRowsAreCreatedWithOneCommit() throws SQLException {
        AtomicInteger commits = new AtomicInteger();
        Tap counting = new Tap() {
            @Override
            public void commit(Connection real) throws SQLException {
                commits.incrementAndGet();
                real.commit();
            }
        };
        try (TestShop shop = TestShop.onH2();
                Inventory inventory =
                        TestShop.patient(counting.on(shop.dataSource())).build()) {
            assertThat(inventory.execute(new Receive(lines(), "import"))).isInstanceOf(Received.class);
            assertThat(commits).hasValue(2);
            assertThat(shop.number("SELECT SUM(physical_qty) FROM inventory_location"))
                    .isEqualTo(5 * SKUS);
        }
    }

    @Test
    void twoImportsOfTheSameRowsBothSucceed() throws SQLException {
        try (TestShop shop = TestShop.onH2();
                Inventory one = shop.inventory().build();
                Inventory other = shop.inventory().build()) {
            CompletableFuture<Outcome> first = one.submit(new Receive(lines(), "import-1"));
            CompletableFuture<Outcome> second = other.submit(new Receive(lines(), "import-2"));
            assertThat(first.join()).isInstanceOf(Received.class);
            assertThat(second.join()).isInstanceOf(Received.class);
            assertThat(shop.number("SELECT SUM(physical_qty) FROM inventory_location"))
                    .isEqualTo(10 * SKUS);
        }
    }
}
