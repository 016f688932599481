package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.Overloaded;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.Scale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What must hold on any server when it is killed, or stands still, in the middle of the load. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseFaults {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final List<Strategy> STRATEGIES =
            List.of(Strategy.COMBINING, Strategy.GROUP_COMMIT, Strategy.ADAPTIVE, Strategy.PESSIMISTIC);

    private PrivateServer server;
    private HikariDataSource pool;
    private HikariDataSource patientPool;
    private LedgerAudit audit;
    private final List<Inventory> inventories = new ArrayList<>();
    private final List<Inventory> patient = new ArrayList<>();

    abstract PrivateServer start();

    @BeforeAll
    void open() {
        server = start();
        patientPool = TestPool.to(server.jdbcUrl(), server.user(), server.password());
        pool = TestPool.to(server.jdbcUrl(), server.user(), server.password(), 16, Duration.ofSeconds(2));
        InventorySchema.on(patientPool).apply();
        audit = new LedgerAudit(patientPool);
        receiveAll();
        for (Strategy strategy : STRATEGIES) {
            Inventory inventory = Inventory.builder(pool)
                    .strategy(strategy)
                    .patience(PATIENCE)
                    .answerWithin(ANSWER)
                    .workers(4)
                    .build();
            inventories.add(inventory);
            patient.add(TestShop.patient(patientPool).strategy(strategy).build());
        }
    }

    private void receiveAll() {
        try (Inventory inventory = TestShop.patient(patientPool).build()) {
            for (Strategy strategy : STRATEGIES) {
                assertThat(inventory.receive(new StockLine(key(strategy), 1_000_000), "first-" + strategy))
                        .isInstanceOf(Outcome.Received.class);
            }
        }
    }

    private static StockKey key(Strategy strategy) {
        return new StockKey(strategy.name(), "TOKYO");
    }

    @AfterAll
    void close() {
        inventories.forEach(Inventory::close);
        patient.forEach(Inventory::close);
        pool.close();
        patientPool.close();
        server.close();
    }

    @Test
    void a_killed_database_loses_nothing_that_was_acknowledged_and_does_nothing_twice() throws Exception {
        for (int round = 0; round < Scale.pick(2, 30); round++) {
            List<Crowd> crowds = crowds("kill-" + round);
            crowds.forEach(this::isBusy);
            server.kill();
            if (round % 2 == 1) { // so long that nobody can look anything up
                stop(crowds);
            }
            server.restart();
            settle(crowds);
        }
    }

    @Test
    void a_database_that_stands_still_keeps_nobody_waiting_and_then_all_goes_on() throws Exception {
        List<Crowd> crowds = crowds("pause");
        crowds.forEach(this::isBusy);
        server.pause();
        try {
            CompletableFuture<Outcome> late = CompletableFuture.supplyAsync(() ->
                    inventories.get(0).reserve(new StockLine(key(STRATEGIES.get(0)), 1), "late"));
            assertThat(late)
                    .succeedsWithin(Duration.ofMinutes(2))
                    .isInstanceOfAny(TimedOut.class, Unknown.class, Failed.class, Overloaded.class, GaveUp.class);
        } finally {
            server.resume();
        }
        settle(crowds);
    }

    private List<Crowd> crowds(String name) {
        List<Crowd> crowds = new ArrayList<>();
        for (int i = 0; i < STRATEGIES.size(); i++) {
            Crowd crowd = new Crowd(inventories.get(i), key(STRATEGIES.get(i)));
            crowd.start(3, 2_000, name + "-" + STRATEGIES.get(i));
            crowds.add(crowd);
        }
        return crowds;
    }

    private void isBusy(Crowd crowd) {
        int enough = ThreadLocalRandom.current().nextInt(10, 100);
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> crowd.accepted() >= enough);
    }

    private void settle(List<Crowd> crowds) throws Exception {
        stop(crowds);
        worksAgain();
        for (int i = 0; i < crowds.size(); i++) {
            Crowd crowd = crowds.get(i);
            crowd.agreesWith(audit);
            crowd.replay(patient.get(i));
            crowd.agreesWith(audit);
        }
        audit.booksBalance();
    }

    private static void stop(List<Crowd> crowds) throws InterruptedException {
        crowds.forEach(Crowd::stop);
        for (Crowd crowd : crowds) {
            crowd.join();
        }
    }

    private void worksAgain() {
        for (int i = 0; i < inventories.size(); i++) {
            Inventory inventory = inventories.get(i);
            StockLine one = new StockLine(key(STRATEGIES.get(i)), 1);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> inventory.reserve(one, "again-" + System.nanoTime()) instanceof Reserved);
        }
    }
}
