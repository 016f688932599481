package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Repaired;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A row of stock that was restored from a backup has a version that its ledger has left behind long ago. */
@Timeout(120)
class RestoredRowTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");

    @ParameterizedTest
    @EnumSource(names = "LOCKED", mode = EnumSource.Mode.EXCLUDE)
    void isRejectedAtOnceWithAnAlertAndCanBeRepaired(Strategy strategy) throws SQLException {
        AtomicInteger connections = new AtomicInteger();
        Tap counting = new Tap() {
            @Override
            public Connection connect(DataSource real) throws SQLException {
                connections.incrementAndGet();
                return real.getConnection();
            }
        };
        try (TestShop shop = TestShop.onH2();
                Inventory inventory = TestShop.patient(counting.on(shop.dataSource()))
                        .strategy(strategy)
                        .build()) {
            assertThat(inventory.receive(new StockLine(SHIRT, 10), "in")).isInstanceOf(Received.class);
            Outcome first = inventory.reserve(new StockLine(SHIRT, 1), "r-0");
            for (int i = 1; i < 5; i++) {
                assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r-" + i)).isInstanceOf(Reserved.class);
            }
            shop.sql("UPDATE inventory_location SET version = 2, allocated_qty = 1");
            assertThat(first).isInstanceOf(Reserved.class);
            assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r-0")).isEqualTo(first);
            connections.set(0);

            List<CompletableFuture<Outcome>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(inventory.submit(new Reserve(Order.of(new StockLine(SHIRT, 1)), "late-" + i)));
            }

            answers.forEach(answer -> assertThat(answer.join()).isInstanceOfSatisfying(Rejected.class, rejected -> {
                assertThat(rejected.why()).isEqualTo(Rejection.BOOKS_DISAGREE);
                assertThat(rejected.detail())
                        .startsWith("SHIRT-001 at TOKYO has 10 in stock and 1 reserved (version 2), but its ledger"
                                + " ends with 10 in stock and 5 reserved (version 6).");
            }));
            assertThat(inventory.figures().alerts()).containsKey("BooksDisagree");
            assertThat(connections).hasValueLessThanOrEqualTo(3 * 50);
            assertThat(inventory.repair(SHIRT, Remedy.FROM_LEDGER, "restored", "repair"))
                    .isInstanceOf(Repaired.class);
            assertThat(inventory.reserve(new StockLine(SHIRT, 1), "late-0")).isInstanceOf(Reserved.class);
        }
    }
}
