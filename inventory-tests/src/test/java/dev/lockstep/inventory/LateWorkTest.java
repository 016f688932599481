package dev.lockstep.inventory;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Unknown;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller that was answered Unknown may sell elsewhere: a request that had not reached its commit by then is never committed later. */
@Execution(ExecutionMode.CONCURRENT)
class LateWorkTest {
    private static final StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");

    /** A database that gives no connection until the test allows it. */
    private static final class Exhausted implements Tap {
        private final CountDownLatch free = new CountDownLatch(1);
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public Connection connect(DataSource real) throws SQLException {
            waiting.incrementAndGet();
            await().atMost(Duration.ofMinutes(3)).until(() -> free.getCount() == 0);
            return real.getConnection();
        }

        @Override
        public void closed() {
            closed.incrementAndGet();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Strategy.class, names = "LOCKED", mode = EnumSource.Mode.EXCLUDE)
    void isNotDoneAfterItsCallerHasGone(Strategy strategy) throws Exception {
        Exhausted exhausted = new Exhausted();
        try (TestShop shop = TestShop.onH2();
                Inventory patient = shop.inventory().build();
                Inventory inventory = Inventory.builder(exhausted.on(shop.dataSource()))
                        .strategy(strategy)
                        .patience(Duration.ofSeconds(15))
                        .answerWithin(Duration.ofMillis(200))
                        .sweepEvery(Duration.ZERO)
                        .build()) {
            assertThat(patient.receive(line("SHIRT-001", "TOKYO", 10), "in")).isInstanceOf(Received.class);
            Outcome outcome = inventory
                    .submit(new Reserve(Order.of(line("SHIRT-001", "TOKYO", 1)), "late"))
                    .join();
            assertThat(outcome).isInstanceOf(Unknown.class);

            exhausted.free.countDown();

            await("the request's transaction").until(() -> exhausted.closed.get() == 1);
            assertThat(exhausted.waiting).hasValue(1);
            assertThat(patient.stock(SHIRT).orElseThrow().allocated()).isZero();
            assertThat(shop.number("SELECT COUNT(*) FROM inventory_transaction WHERE request_id = 'late'"))
                    .isZero();
        }
    }
}
