package dev.lockstep.benchmarks.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.ShopServer;
import dev.lockstep.benchmarks.measure.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InventoryRunTest {
    @Test
    void allDatabasesAndPartsUnlessSomeAreNamed() {
        InventoryRun all = InventoryRun.parse(List.of());
        assertThat(all.servers()).containsExactly(ShopServer.values());
        assertThat(all.parts())
                .containsExactly(
                        InventoryPart.HOT,
                        InventoryPart.MIXES,
                        InventoryPart.ORDERS,
                        InventoryPart.CROWD,
                        InventoryPart.PLOT);
        assertThat(all.clientsOr(1, 8)).containsExactly(1, 8);
        InventoryRun some = InventoryRun.parse(
                List.of("h2", "plot", "mysql", "--clients", "128,1", "--rounds", "3", "--images", "docs/images"));
        assertThat(some.servers()).containsExactly(ShopServer.MYSQL, ShopServer.H2);
        assertThat(some.parts()).containsExactly(InventoryPart.PLOT);
        assertThat(some.clientsOr(8)).containsExactly(1, 128);
        assertThat(some.rounds()).isEqualTo(3);
        assertThat(some.images()).isEqualTo(Path.of("docs/images"));
    }

    @Test
    void whatIsUnknownOrTooMuchIsRefused() {
        assertThatThrownBy(() -> InventoryRun.parse(List.of("oracle")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("unknown database or part 'oracle'."
                        + " Known: mysql, mariadb, postgresql, h2, hot, mixes, orders, crowd, plot, profile");
        for (String clients : List.of("0", "1,,8", "1,x", "8,")) {
            assertThatThrownBy(() -> InventoryRun.parse(List.of("--clients", clients)))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("--clients");
        }
        assertThatThrownBy(() -> InventoryRun.parse(List.of("--clients", "1,100000")))
                .hasMessageContaining("--clients is at most 2000, and got 100000");
        assertThatThrownBy(() -> InventoryRun.parse(List.of("--fast", "1")))
                .hasMessageContaining("unknown flag '--fast'. Known: --seconds, --rounds, --skus, --clients, --images");
    }

    @Test
    void ratiosAreAskedForWhereTheyAreKnown() {
        assertThat(ShopServer.MYSQL.asked(128)).hasValue(new ShopServer.Asked(40, 20, 12));
        assertThat(ShopServer.H2.asked(1)).isPresent();
        assertThat(ShopServer.H2.asked(128)).isEmpty();
        assertThat(ShopServer.POSTGRESQL.asked(8)).isEmpty();
    }

    @Test
    void commitsThatMayBeLostAreNoticed() {
        assertThat(ShopServer.MYSQL.isDurable("innodb_flush_log_at_trx_commit = 1, log_bin = 1, sync_binlog = 1"))
                .isTrue();
        assertThat(ShopServer.MYSQL.isDurable("innodb_flush_log_at_trx_commit = 1, log_bin = 1, sync_binlog = 0"))
                .isFalse();
        assertThat(ShopServer.MARIADB.isDurable("innodb_flush_log_at_trx_commit = 1, log_bin = OFF, sync_binlog = 0"))
                .isTrue();
        assertThat(ShopServer.MARIADB.isDurable("innodb_flush_log_at_trx_commit = 2, log_bin = OFF, sync_binlog = 0"))
                .isFalse();
        assertThat(ShopServer.POSTGRESQL.isDurable("fsync = off, synchronous_commit = on"))
                .isFalse();
    }

    @Test
    @Tag("long")
    void everythingRunsOnARealDatabase(@TempDir Path images) throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        InventoryRun run = new InventoryRun(
                Set.of(ShopServer.POSTGRESQL),
                Set.of(InventoryPart.values()),
                Optional.of(List.of(1, 8)),
                Duration.ofMillis(300),
                1,
                500,
                images);
        List<Comparison> comparisons = run.run(new PrintStream(text, true, StandardCharsets.UTF_8));
        assertThat(comparisons).hasSize(2 * 3 + 3 + 2 * 2 + 2).allSatisfy(each -> {
            assertThat(each.ours().median()).isPositive();
            assertThat(each.theirs().median()).isPositive();
        });
        assertThat(images.resolve("inventory-postgresql.svg")).exists();
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("## PostgreSQL", "fsync = on, synchronous_commit = on", "of 32 connections, autocommit off")
                .contains("| 1 client, combining and guarded UPDATE ", "| p99, ms ", "| reserved/s in each part ")
                .contains("500 different SKUs sold once", "connection from the pool");
    }
}
