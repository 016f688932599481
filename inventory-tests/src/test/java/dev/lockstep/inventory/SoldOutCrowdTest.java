package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.testkit.FakeClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for sold-out stock share their look-ups, and leave connections and workers to requests for other stock. */
@Timeout(120)
class SoldOutCrowdTest {
    private static final int CROWD = 300;
    private static final StockKey SOLD_OUT = new StockKey("SOLD-OUT", "TOKYO");
    private static final StockKey OTHER = new StockKey("OTHER", "TOKYO");

    /** Counts connections, and holds look-ups of the ledger until the test allows them. */
    private static final class SlowLedger implements Tap {
        private final AtomicInteger connections = new AtomicInteger();
        private final AtomicInteger lookUps = new AtomicInteger();
        private volatile CountDownLatch open = new CountDownLatch(0);

        @Override
        public Connection connect(DataSource real) throws SQLException {
            connections.incrementAndGet();
            return real.getConnection();
        }

        @Override
        public void prepare(String sql) {
            if (sql.contains("UNION ALL")) {
                lookUps.incrementAndGet();
                await().until(() -> open.getCount() == 0);
            }
        }
    }

    private final SlowLedger ledger = new SlowLedger();
    private final FakeClock clock = new FakeClock(); // what is known to be sold out stays so
    private TestShop shop;
    private Inventory inventory;

    @BeforeEach
    void open() {
        shop = TestShop.onH2();
        inventory = TestShop.patient(ledger.on(shop.dataSource()))
                .strategy(Strategy.COMBINING)
                .clock(clock)
                .workers(2)
                .sweepEvery(Duration.ZERO) // a sweep needs a connection too
                .build();
        assertThat(inventory.receive(new StockLine(SOLD_OUT, 1), "in-1")).isInstanceOf(Received.class);
        assertThat(inventory.receive(new StockLine(OTHER, 1_000), "in-2")).isInstanceOf(Received.class);
        assertThat(inventory.reserve(new StockLine(SOLD_OUT, 1), "last")).isInstanceOf(Reserved.class);
        ledger.open = new CountDownLatch(1);
        ledger.connections.set(0);
        ledger.lookUps.set(0);
    }

    @AfterEach
    void close() throws SQLException {
        ledger.open.countDown();
        inventory.close();
        shop.close();
    }

    private List<CompletableFuture<Outcome>> submitCrowd() {
        return submit(0, CROWD);
    }

    private List<CompletableFuture<Outcome>> submit(int from, int to) {
        List<CompletableFuture<Outcome>> answers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            answers.add(inventory.submit(new Reserve(Order.of(new StockLine(SOLD_OUT, 1)), "r-" + i)));
        }
        return answers;
    }

    @Test
    void requestsThatComeInThePauseAfterALookUpShareTheNextOne() {
        List<CompletableFuture<Outcome>> first = submit(0, 1);
        await().until(() -> ledger.lookUps.get() == 1);
        first.addAll(submit(1, 2));
        await().until(() -> ledger.lookUps.get() == 2); // else the second takes the others along, and no pause follows
        List<CompletableFuture<Outcome>> others = new ArrayList<>(submit(2, 200));
        clock.advance(Duration.ofMillis(1)); // is how long the look-ups take
        ledger.open.countDown();
        assertThat(first.get(0).join()).isInstanceOf(OutOfStock.class);
        others.addAll(submit(200, 300));
        await().until(() -> {
            clock.advance(Duration.ofMillis(1));
            return others.stream().allMatch(CompletableFuture::isDone);
        });
        others.forEach(answer -> assertThat(answer.join()).isInstanceOf(OutOfStock.class));
        assertThat(ledger.lookUps).hasValueLessThanOrEqualTo(3);
    }

    @Test
    void aSubmittedCrowdSharesItsLookUps() {
        List<CompletableFuture<Outcome>> answers = submitCrowd();
        ledger.open.countDown();
        answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(OutOfStock.class));
        assertThat(ledger.connections).hasValueLessThanOrEqualTo(4);
    }

    @Test
    void aWaitingCrowdSharesItsLookUps() throws InterruptedException {
        List<CompletableFuture<Outcome>> answers = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            String id = "r-" + i;
            CompletableFuture<Outcome> answer = new CompletableFuture<>();
            new Thread(() -> answer.complete(inventory.reserve(new StockLine(SOLD_OUT, 1), id))).start();
            answers.add(answer);
        }
        await().until(() -> inventory.figures().inFlight() == CROWD && ledger.lookUps.get() == 2);
        ledger.open.countDown();
        answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(OutOfStock.class));
        assertThat(ledger.connections).hasValueLessThanOrEqualTo(8);
    }

    @Test
    void otherStockIsSoldWhileTheLookUpsOfACrowdWait() {
        List<CompletableFuture<Outcome>> answers = submitCrowd();
        CompletableFuture<Outcome> other = inventory.submit(new Reserve(Order.of(new StockLine(OTHER, 1)), "other"));
        assertThat(other.join()).isInstanceOf(Reserved.class);
        assertThat(inventory.reserve(new StockLine(OTHER, 1), "other-2")).isInstanceOf(Reserved.class);
        ledger.open.countDown();
        answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(OutOfStock.class));
    }

    @Test
    void theRequestThatBoughtTheLastOneIsStillRecognized() {
        ledger.open.countDown();
        assertThat(inventory.submit(new Reserve(Order.of(new StockLine(SOLD_OUT, 1)), "last")))
                .succeedsWithin(Duration.ofMinutes(1))
                .isInstanceOf(Reserved.class);
    }
}
