package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockFigures;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.examples.HierLock.LockHandle;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The source's calls on the source's kind of store: two processes, as far as the database can tell. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
class HierLockOnDatabasesTest {
    private static final Executor NEW_THREAD = task -> new Thread(task).start();

    @Parameter
    ServerKind kind;

    // One database for all tests of a kind, which leave nothing held: its rows take seconds to insert.
    private static TestDatabase database;
    private static Locks here;
    private static Locks there;

    @BeforeParameterizedClassInvocation
    static void connect(ServerKind kind) throws SQLException {
        database = TestServers.shared(kind).freshDatabase();
        here = locks();
        there = locks();
    }

    private static Locks locks() {
        return patientLocks(DatabaseExamplesTest.url(database));
    }

    /** As {@link DatabaseLocks} has them, with requests that wait and leases that stay while the machine stands still. */
    static Locks patientLocks(String url) {
        DataSource dataSource = new DriverSource(url);
        LockStore store = switch (DriverSource.product(url)) {
            case "mysql" -> RowLockStore.mysql(dataSource).provisionIfMissing(AccountKinds.values());
            case "mariadb" -> RowLockStore.mariadb(dataSource).provisionIfMissing(AccountKinds.values());
            default -> AdvisoryLockStore.postgresql(dataSource);
        };
        return Locks.builder(store)
                .defaultTerm(Duration.ofMinutes(1))
                .defaultWait(Duration.ofMinutes(2))
                .build();
    }

    @AfterParameterizedClassInvocation
    static void disconnect() throws SQLException {
        here.close();
        there.close();
        database.close();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(here.figures()).isEqualTo(new LockFigures(0, 0));
        assertThat(there.figures()).isEqualTo(new LockFigures(0, 0));
    }

    private static LockHandle acquire(Locks locks, String path) {
        return FacadesTest.acquire(new HierLock(locks), path);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "resource blocks same resource, u1/a1/r1, u1/a1/r1",
        "account blocks resource under same account, u1/a1, u1/a1/r1",
        "resource blocks its account, u1/a1/r1, u1/a1",
        "user blocks account under same user, u1, u1/a1",
        "user blocks resource under same user, u1, u1/a1/r1",
    })
    void blocks(String name, String first, String second) {
        LockHandle held = acquire(here, first);
        CompletableFuture<LockHandle> waiting = CompletableFuture.supplyAsync(() -> acquire(there, second), NEW_THREAD);
        Awaitility.await(name).until(() -> !there.snapshot().waiters().isEmpty());
        held.release();
        waiting.join().release();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "resource allows different resource same account, u1/a1/r1, u1/a1/r2",
        "user allows different user, u1, u2",
    })
    void allows(String name, String first, String second) {
        LockHandle held = acquire(here, first);
        LockHandle beside = acquire(there, second);
        assertThat(List.of(held, beside))
                .as(name)
                .allMatch(handle -> handle.lease().isHeld());
        held.release();
        beside.release();
    }

    @Test
    @DisplayName("NoDeadlock_MultiResourceOrdered")
    void resourcesInAnyOrder() {
        CompletableFuture<Integer> forth = takeOften(here, List.of("r1", "r2", "r3"));
        CompletableFuture<Integer> back = takeOften(there, List.of("r3", "r2", "r1"));
        assertThat(forth.join() + back.join()).isEqualTo(100);
    }

    private static CompletableFuture<Integer> takeOften(Locks locks, List<String> resources) {
        return CompletableFuture.supplyAsync(
                () -> {
                    for (int i = 0; i < 50; i++) {
                        LockHandle handle = new HierLock(locks).acquireResources("u1", "a1", resources);
                        Backstage.pause(Duration.ofMillis(1));
                        handle.release();
                    }
                    return 50;
                },
                NEW_THREAD);
    }
}
