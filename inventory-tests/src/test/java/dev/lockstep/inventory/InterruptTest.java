package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Granted;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller's thread is interrupted. The database is held up at its commits. */
final class InterruptTest {
    private static final StockKey SHIRT = new StockKey("SHIRT", "TOKYO");
    private static final StockLine ONE = new StockLine(SHIRT, 1);
    private static final Duration SOON = Duration.ofMinutes(2);

    private final HeldCommits commits = new HeldCommits();
    private TestShop shop;
    private LedgerAudit audit;

    @BeforeEach
    void open() {
        shop = TestShop.onH2();
        audit = new LedgerAudit(shop.dataSource());
        try (Inventory inventory = shop.inventory().build()) {
            assertThat(inventory.receive(new StockLine(SHIRT, 100), "shirts")).isInstanceOf(Received.class);
        }
    }

    @AfterEach
    void close() throws Exception {
        shop.close();
    }

    /** A caller on a thread of its own, and whether that was still interrupted when the answer came. */
    private record Caller(Thread thread, CompletableFuture<Outcome> answer, CompletableFuture<Boolean> flag) {
        static Caller of(Inventory inventory, String id) {
            CompletableFuture<Outcome> answer = new CompletableFuture<>();
            CompletableFuture<Boolean> flag = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                Outcome outcome = inventory.reserve(ONE, id);
                flag.complete(Thread.currentThread().isInterrupted());
                answer.complete(outcome);
            });
            thread.start();
            return new Caller(thread, answer, flag);
        }

        void interrupt() {
            thread.interrupt();
        }

        void keepsItsFlag() {
            assertThat(flag).succeedsWithin(SOON).isEqualTo(true);
        }

        void gaveUp() {
            assertThat(answer)
                    .succeedsWithin(SOON)
                    .isInstanceOfSatisfying(
                            GaveUp.class, gaveUp -> assertThat(gaveUp.reason()).isEqualTo(GaveUp.Reason.INTERRUPTED));
            keepsItsFlag();
        }

        void reserved() {
            assertThat(answer).succeedsWithin(SOON).isInstanceOf(Reserved.class);
        }
    }

    private Inventory combining() {
        return TestShop.patient(commits.on(shop.dataSource()))
                .strategy(Strategy.COMBINING)
                .build();
    }

    @Test
    void who_is_interrupted_in_the_queue_gives_up_and_is_not_served_later() throws Exception {
        try (Inventory inventory = combining()) {
            Caller leader = Caller.of(inventory, "leader");
            commits.await(1);
            Caller waiting = Caller.of(inventory, "waiting");
            Caller other = Caller.of(inventory, "other");
            Awaitility.await().until(() -> inventory.figures().inFlight() == 3);

            waiting.interrupt();

            waiting.gaveUp();
            commits.release();
            leader.reserved();
            other.reserved();
        }
        assertThat(audit.reservations(SHIRT)).containsOnlyKeys("leader", "other");
        audit.booksBalance();
    }

    @Test
    void who_is_interrupted_while_he_leads_still_gets_his_answer_and_so_do_the_others() throws Exception {
        try (Inventory inventory = combining()) {
            Caller leader = Caller.of(inventory, "leader");
            commits.await(1);
            Caller other = Caller.of(inventory, "other");
            Awaitility.await().until(() -> inventory.figures().inFlight() == 2);

            leader.interrupt();
            commits.release();

            leader.reserved();
            leader.keepsItsFlag();
            other.reserved();
        }
        assertThat(audit.reservations(SHIRT)).containsOnlyKeys("leader", "other");
        audit.booksBalance();
    }

    @Test
    void who_was_interrupted_before_he_asked_is_served_and_stays_interrupted() throws Exception {
        commits.release();
        for (Strategy strategy : new Strategy[] {Strategy.COMBINING, Strategy.GROUP_COMMIT, Strategy.ADAPTIVE}) {
            try (Inventory inventory = TestShop.patient(commits.on(shop.dataSource()))
                    .strategy(strategy)
                    .build()) {
                Thread.currentThread().interrupt();
                Outcome outcome = inventory.reserve(ONE, "r-" + strategy);
                assertThat(Thread.interrupted()).isTrue();
                assertThat(outcome).as("%s", strategy).isInstanceOf(Reserved.class);
            }
        }
    }

    @Test
    void who_is_interrupted_between_two_attempts_gives_up_and_has_done_nothing() throws Exception {
        AtomicInteger conflicts = new AtomicInteger();
        Tap someoneFaster = new Tap() {
            @Override
            public void prepare(String sql) throws SQLException {
                if (sql.contains("UPDATE inventory_location")) {
                    shop.sql("UPDATE inventory_location SET version = version + 1");
                    conflicts.incrementAndGet();
                }
            }
        };
        RetryPolicy slow = RetryPolicy.exponential(Duration.ofSeconds(60), 1, Duration.ofSeconds(60))
                .withAttempts(4);
        try (Inventory inventory = Inventory.builder(someoneFaster.on(shop.dataSource()))
                .strategy(Strategy.OPTIMISTIC)
                .retries(slow)
                .patience(Duration.ofMinutes(10))
                .build()) {
            Caller caller = Caller.of(inventory, "r0");
            Awaitility.await()
                    .until(() -> conflicts.get() == 1 && caller.thread().getState() == Thread.State.TIMED_WAITING);

            caller.interrupt();

            caller.gaveUp();
        }
        assertThat(audit.reservations(SHIRT)).isEmpty();
    }

    @Test
    void who_is_interrupted_while_he_waits_for_a_lock_has_done_nothing() throws Exception {
        commits.release();
        try (Locks locks = TestShop.locks();
                Inventory inventory = TestShop.patient(commits.on(shop.dataSource()))
                        .lockedBy(locks)
                        .build()) {
            Granted held = (Granted) locks.tryAcquire(LockRequest.exclusive(SHIRT.lockKey()));
            Caller caller = Caller.of(inventory, "r0");
            Awaitility.await().until(() -> caller.thread().getState() == Thread.State.TIMED_WAITING);

            caller.interrupt();

            assertThat(caller.answer()).succeedsWithin(SOON).isNotInstanceOf(Reserved.class);
            caller.keepsItsFlag();
            held.lease().release();
            assertThat(audit.reservations(SHIRT)).isEmpty();
            assertThat(inventory.reserve(ONE, "r0")).isInstanceOf(Reserved.class);
        }
    }
}
