package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store counts where each kind has a single row, so that all keys of a kind share it. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB"})
class SharedRowsTest {
    private static final LockKey HELD = user("u1");
    private static final LockKey OTHER = user("u2");

    @Parameter
    Server server;

    private LockDatabase database;
    private RowLockStore store;
    private Locks locks;
    private Locks elsewhere;

    @BeforeEach
    void create() throws SQLException {
        database = LockDatabase.on(server, TestServers.shared(server.kind()), 1, Tenancy.RESOURCE);
        store = (RowLockStore) database.store();
        locks = LockDatabase.patient(store);
        elsewhere = database.patientLocks();
    }

    @AfterEach
    void drop() throws SQLException {
        elsewhere.close();
        locks.close();
        database.close();
    }

    private CompletableFuture<Lease> startWaiting(LockKey key) {
        CompletableFuture<Lease> waiter =
                locks.acquireAsync(exclusive(key).within(Duration.ofMinutes(3)).as("waiter"));
        await().until(() -> locks.snapshot().waiters().stream()
                .anyMatch(waiting -> waiting.owner().equals("waiter")));
        return waiter;
    }

    @Test
    void aWaitForAnotherKeyOnTheSameRowCountsOnce() {
        Lease held = locks.acquire(exclusive(HELD));
        assertThat(store.sharedRowWaits()).isZero();
        CompletableFuture<Lease> waiter = startWaiting(OTHER);
        await().untilAsserted(() -> assertThat(store.sharedRowWaits()).isEqualTo(1));
        held.close();
        waiter.join().close();
        assertThat(store.sharedRowWaits()).isEqualTo(1);
    }

    @Test
    void aRefusalBecauseOfAnotherKeyOnTheSameRowCounts() {
        Lease held = locks.acquire(exclusive(HELD));
        assertThat(locks.acquireAsync(exclusive(OTHER).withoutWaiting())).failsWithin(Duration.ofMinutes(1));
        assertThat(store.sharedRowWaits()).isEqualTo(1);
        assertThat(store.hottestRows()).containsExactly(new SharedRow(0, 0, 1));
        held.close();
    }

    @Test
    void aWaitForTheSameKeyDoesNotCount() {
        Lease held = locks.acquire(exclusive(HELD));
        CompletableFuture<Lease> waiter = startWaiting(HELD);
        held.close();
        waiter.join().close();
        assertThat(store.sharedRowWaits()).isZero();
        assertThat(store.hottestRows()).isEmpty();
    }

    @Test
    void whatAnotherProcessHoldsIsNotKnownAndDoesNotCount() {
        Lease held = elsewhere.acquire(exclusive(HELD));
        assertThat(locks.tryAcquire(exclusive(OTHER))).isInstanceOf(Busy.class);
        held.close();
        assertThat(store.sharedRowWaits()).isZero();
    }
}
