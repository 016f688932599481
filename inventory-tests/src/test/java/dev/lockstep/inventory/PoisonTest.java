package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.testservers.ServerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
final class PoisonTest {
    private static final StockKey SHIRT = new StockKey("SHIRT", "TOKYO");

    @Test
    void a_request_that_H2_refuses_fails_alone() throws Exception {
        try (TestShop shop = TestShop.onH2()) {
            failsAlone(shop);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void a_request_that_a_server_refuses_fails_alone(ServerKind kind) throws Exception {
        try (TestShop shop = TestShop.on(kind)) {
            failsAlone(shop);
        }
    }

    private static void failsAlone(TestShop shop) throws Exception {
        shop.sql("ALTER TABLE inventory_reservation ADD CONSTRAINT no_poison CHECK (quantity <> 13)");
        HeldCommits commits = new HeldCommits();
        try (Inventory inventory = TestShop.patient(commits.on(shop.dataSource()))
                .strategy(Strategy.COMBINING)
                .build()) {
            commits.release();
            assertThat(inventory.receive(new StockLine(SHIRT, 1_000), "first")).isInstanceOf(Received.class);
            List<CompletableFuture<Outcome>> answers = new ArrayList<>();
            RowLock lock = RowLock.on(shop.dataSource(), SHIRT);
            for (int i = 0; i < 40; i++) {
                answers.add(inventory.submit(new Reserve(
                        Order.of(new StockLine(SHIRT, i % 20 == 7 ? 13 : 1)), "r" + i)));
            }
            lock.close();
            for (int i = 0; i < 40; i++) {
                assertThat(answers.get(i))
                        .as("r%d", i)
                        .succeedsWithin(Duration.ofMinutes(3))
                        .isInstanceOf(i % 20 == 7 ? Failed.class : Reserved.class);
            }
            assertThat(commits.count())
                    .as("commits: poison splits a batch, and no more")
                    .isLessThan(30);
        }
        LedgerAudit audit = new LedgerAudit(shop.dataSource());
        assertThat(audit.reservations(SHIRT)).hasSize(38).doesNotContainKeys("r7", "r27");
        audit.booksBalance();
    }
}
