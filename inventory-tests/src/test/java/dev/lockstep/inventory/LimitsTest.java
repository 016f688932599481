package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.Overloaded;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.TimedOut;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a busy inventory takes on. The database is held up at its commits. */
@Execution(ExecutionMode.CONCURRENT)
final class LimitsTest {
    private static final StockKey SHIRT = new StockKey("SHIRT", "TOKYO");
    private static final StockKey SOCK = new StockKey("SOCK", "TOKYO");
    private static final Duration SOON = Duration.ofMinutes(3);

    private final HeldCommits commits = new HeldCommits();
    private TestShop shop;
    private LedgerAudit audit;

    @BeforeEach
    void open() {
        shop = TestShop.onH2();
        audit = new LedgerAudit(shop.dataSource());
        try (Inventory inventory = shop.inventory().build()) {
            assertThat(inventory.receive(new StockLine(SHIRT, 100), "shirts")).isInstanceOf(Received.class);
            assertThat(inventory.receive(new StockLine(SOCK, 100), "socks")).isInstanceOf(Received.class);
        }
    }

    @AfterEach
    void close() throws Exception {
        shop.close();
    }

    private Inventory held(UnaryOperator<InventoryBuilder> options) {
        return options.apply(TestShop.patient(commits.on(shop.dataSource())).strategy(Strategy.COMBINING))
                .build();
    }

    private static CompletableFuture<Outcome> buy(Inventory inventory, StockKey key, String id) {
        return inventory.submit(new Reserve(Order.of(new StockLine(key, 1)), id));
    }

    @Test
    void more_than_may_be_in_flight_are_refused_at_once_and_told_when_to_come_again() throws Exception {
        try (Inventory inventory = held(with -> with.limits(InventoryLimits.DEFAULT.inFlight(3)))) {
            List<CompletableFuture<Outcome>> answers = new ArrayList<>();
            answers.add(buy(inventory, SHIRT, "r0"));
            commits.await(1);
            answers.add(buy(inventory, SHIRT, "r1"));
            answers.add(buy(inventory, SOCK, "r2"));

            CompletableFuture<Outcome> refused = buy(inventory, SOCK, "r3");

            assertThat(refused).isDone();
            assertThat(((Overloaded) refused.join()).retryAfter())
                    .isBetween(Duration.ofMillis(1), Duration.ofSeconds(5));
            commits.release();
            assertThat(answers)
                    .allSatisfy(
                            answer -> assertThat(answer).succeedsWithin(SOON).isInstanceOf(Reserved.class));
            assertThat(inventory.reserve(new StockLine(SOCK, 1), "r3")).isInstanceOf(Reserved.class);
        }
        assertThat(audit.reservations(SOCK)).containsOnlyKeys("r2", "r3");
    }

    @Test
    void a_full_queue_refuses_at_once_and_other_stock_is_still_sold() throws Exception {
        try (Inventory inventory = held(with -> with.limits(InventoryLimits.DEFAULT.queued(2)))) {
            List<CompletableFuture<Outcome>> answers = new ArrayList<>();
            answers.add(buy(inventory, SHIRT, "r0"));
            commits.await(1);
            answers.add(buy(inventory, SHIRT, "r1"));
            answers.add(buy(inventory, SHIRT, "r2"));

            assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r3"))
                    .isInstanceOfSatisfying(
                            Overloaded.class,
                            refused -> assertThat(refused.retryAfter())
                                    .isBetween(Duration.ofMillis(1), Duration.ofSeconds(5)));
            answers.add(buy(inventory, SOCK, "r4"));

            commits.release();
            assertThat(answers)
                    .allSatisfy(
                            answer -> assertThat(answer).succeedsWithin(SOON).isInstanceOf(Reserved.class));
        }
        assertThat(audit.reservations(SHIRT)).containsOnlyKeys("r0", "r1", "r2");
    }

    @Test
    void who_waited_too_long_in_the_queue_is_not_served_later() throws Exception {
        try (Inventory inventory =
                held(with -> with.patience(Duration.ofSeconds(15)).answerWithin(SOON))) {
            CompletableFuture<Outcome> first = buy(inventory, SHIRT, "r0");
            commits.await(1);
            CompletableFuture<Outcome> later = buy(inventory, SHIRT, "r1");

            assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r2")).isInstanceOf(TimedOut.class);
            assertThat(later).succeedsWithin(SOON).isInstanceOf(TimedOut.class);

            commits.release();
            assertThat(first).succeedsWithin(SOON).isInstanceOf(Reserved.class);
            Awaitility.await("Overloaded while the slow transaction's queue is being worked off, and then")
                    .until(() -> inventory.reserve(new StockLine(SHIRT, 1), "r3") instanceof Reserved);
        }
        assertThat(audit.reservations(SHIRT)).containsOnlyKeys("r0", "r3");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMBINING", "ADAPTIVE", "PESSIMISTIC"})
    void without_a_free_connection_requests_fail_and_then_work_again(Strategy strategy) throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        try (HikariDataSource pool = TestPool.to(url, "sa", "", 1, Duration.ofSeconds(15))) {
            InventorySchema.on(pool).apply();
            try (Inventory inventory = TestShop.patient(pool)
                    .strategy(strategy)
                    .sweepEvery(Duration.ZERO)
                    .build()) {
                assertThat(inventory.receive(new StockLine(SHIRT, 1), "first")).isInstanceOf(Received.class);
                try (Connection only = pool.getConnection()) {
                    assertThat(only.isClosed()).isFalse();
                    assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r")).isInstanceOf(Failed.class);
                }
                assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r")).isInstanceOf(Reserved.class);
            }
            new LedgerAudit(pool).booksBalance();
        }
    }

    @Test
    void closing_answers_all_who_are_on_their_way_and_takes_no_more() throws Exception {
        Inventory inventory = held(with -> with);
        List<CompletableFuture<Outcome>> answers = new ArrayList<>();
        answers.add(buy(inventory, SHIRT, "r0"));
        commits.await(1);
        for (int i = 1; i < 50; i++) {
            answers.add(buy(inventory, i % 2 == 0 ? SHIRT : SOCK, "r" + i));
        }
        CompletableFuture<Outcome> blocking =
                CompletableFuture.supplyAsync(() -> inventory.reserve(new StockLine(SHIRT, 1), "r50"));
        Awaitility.await().until(() -> inventory.figures().inFlight() == 51);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(inventory::close); // waits for what is in flight
        AtomicInteger late = new AtomicInteger();
        Awaitility.await()
                .until(() ->
                        buy(inventory, SOCK, "late" + late.getAndIncrement()).getNow(null) instanceof GaveUp refused
                                && refused.reason() == GaveUp.Reason.CLOSED);
        assertThat(closing).isNotDone();
        commits.release();
        assertThat(closing).succeedsWithin(SOON);

        answers.add(blocking);
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer).succeedsWithin(SOON).isInstanceOf(Reserved.class));
        audit.booksBalance();
    }

    @Test
    void an_error_of_the_driver_fails_its_request_and_leaves_the_queue_open() {
        AtomicBoolean broken = new AtomicBoolean(true);
        Tap tap = new Tap() {
            @Override
            public void prepare(String sql) {
                if (broken.get()) {
                    throw new NoClassDefFoundError("a part of the driver");
                }
            }
        };
        try (Inventory inventory = TestShop.patient(tap.on(shop.dataSource()))
                .strategy(Strategy.COMBINING)
                .build()) {
            assertThat(buy(inventory, SHIRT, "r0")).succeedsWithin(SOON).isInstanceOf(Failed.class);
            broken.set(false);
            assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r0")).isInstanceOf(Reserved.class);
        }
    }

    @Test
    void an_error_of_the_driver_at_the_commit_is_not_taken_for_a_failure() {
        Tap tap = new Tap() {
            @Override
            public void commit(Connection real) throws SQLException {
                real.commit();
                throw new IllegalStateException("a pool that is broken");
            }
        };
        for (Strategy strategy :
                List.of(Strategy.COMBINING, Strategy.GROUP_COMMIT, Strategy.ADAPTIVE, Strategy.PESSIMISTIC)) {
            try (Inventory inventory = TestShop.patient(tap.on(shop.dataSource()))
                    .strategy(strategy)
                    .build()) {
                assertThat(inventory.reserve(new StockLine(SHIRT, 1), "r-" + strategy))
                        .isInstanceOf(Reserved.class);
            }
        }
    }
}
