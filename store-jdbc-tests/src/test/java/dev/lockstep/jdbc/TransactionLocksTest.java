package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Busy;
import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class TransactionLocksTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(3);

    /** One store, the locks on it, and connections of the caller's own. */
    private static final class Scene implements AutoCloseable {
        final LockDatabase database;
        final LockStore store;
        final Locks locks;

        Scene(Server server) throws Exception {
            database = LockDatabase.on(server);
            store = database.store();
            locks = LockDatabase.patient(store);
        }

        Connection begin() throws Exception {
            return begin(database);
        }

        static Connection begin(LockDatabase database) throws Exception {
            Connection connection = database.dataSource().getConnection();
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            return connection;
        }

        TransactionLocks in(Connection connection) {
            return in(store, connection);
        }

        static TransactionLocks in(LockStore store, Connection connection) {
            return store instanceof RowLockStore rows
                    ? rows.in(connection)
                    : ((AdvisoryLockStore) store).in(connection);
        }

        @Override
        public void close() throws SQLException {
            locks.close();
            database.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theyEndWithTheCommitOrTheRollback(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin()) {
            for (boolean commit : new boolean[] {true, false}) {
                scene.in(connection)
                        .acquire(exclusive(resource("u1", "a1", "r1")).within(LONG));
                assertThat(scene.locks.tryAcquire(exclusive(account("u1", "a1"))))
                        .isInstanceOf(Busy.class);
                take(scene.locks, resource("u1", "a1", "r2")).close();
                if (commit) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                take(scene.locks, account("u1", "a1")).close();
            }
        }
    }

    private static Lease take(Locks locks, LockKey key) {
        return ((Granted) locks.tryAcquire(exclusive(key).within(LONG))).lease();
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseHoldsThemOffAndTheyWaitForIt(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin()) {
            Lease lease = scene.locks.acquire(exclusive(user("u1")).as("holder"));
            TransactionLocks mine = scene.in(connection);
            assertThat(mine.tryAcquire(exclusive(account("u1", "a1")))).isEmpty();
            connection.rollback();
            assertThatThrownBy(() -> scene.in(connection)
                            .acquire(exclusive(account("u1", "a1")).within(SHORT)))
                    .isInstanceOfSatisfying(LockTimeoutException.class, error -> {
                        assertThat(error.busy().key()).isEqualTo(user("u1"));
                        assertThat(error.busy().holder()).contains("holder");
                    });
            connection.rollback();
            CompletableFuture<FencingToken> waiting = async(() ->
                    scene.in(connection).acquire(exclusive(account("u1", "a1")).within(LONG)));
            Awaitility.await().until(() -> scene.database.waits() > 0);
            lease.close();
            assertThat(waiting.join()).isGreaterThan(lease.token());
            connection.rollback();
        }
    }

    private static <T> CompletableFuture<T> async(Callable<T> work) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return work.call();
                        } catch (RuntimeException e) {
                            throw e;
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    thread);
        } finally {
            thread.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsHeldIsNotTakenAgainAndTheOrderIsKept(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin()) {
            TransactionLocks mine = scene.in(connection);
            mine.acquire(exclusive(account("u1", "a1")).within(LONG));
            mine.acquire(exclusive(resource("u1", "a1", "r1")).within(LONG));
            assertThatThrownBy(() -> mine.acquire(exclusive(resource("u1", "a1", "r2"))))
                    .isInstanceOf(OrderViolationException.class);
            assertThatThrownBy(() -> mine.acquire(exclusive(user("u1")))).isInstanceOf(OrderViolationException.class);
            mine.acquire(shared(resource("u1", "a1", "r1")).within(LONG));
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void kindsOfOneRankAreRefusedTogetherAndNoneIsRecorded(Server server) throws Exception {
        try (LockDatabase database = LockDatabase.on(server, TestServers.shared(server.kind()), 31);
                LockStore store = server.provisioning(database.dataSource());
                Connection connection = Scene.begin(database)) {
            assertThatThrownBy(() -> Scene.in(store, connection)
                            .acquire(exclusive(Crafts.SAME_RANK_AS_ACCOUNT.key("g1"), account("u1", "a1"))))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("its own rank");
            Scene.in(store, connection).acquire(exclusive(account("u1", "a1")).within(LONG));
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void autocommitAndOtherIsolationsAreRefused(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            assertThatThrownBy(() -> scene.in(connection).acquire(exclusive(user("u1"))))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("READ COMMITTED");
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> scene.in(connection).acquire(exclusive(user("u1"))))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterAFailureTheTransactionIsRollbackOnlyWhereItMayHoldSomeOfTheLocks(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin()) {
            Lease lease = take(scene.locks, account("u1", "a1"));
            TransactionLocks mine = scene.in(connection);
            assertThat(mine.tryAcquire(exclusive(resource("u1", "a1", "r1")))).isEmpty();
            if (server == Server.POSTGRES) {
                mine.acquire(exclusive(account("u1", "a2")).within(LONG));
            } else {
                assertThatThrownBy(() -> mine.acquire(exclusive(account("u1", "a2"))))
                        .isInstanceOf(LockException.class)
                        .hasMessageContaining("Roll it back");
            }
            connection.rollback();
            lease.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lockingOneAfterTheOtherDeadlocksAndIsReported(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection one = scene.begin();
                Connection other = scene.begin()) {
            scene.in(one).acquire(exclusive(resource("u1", "a1", "r1")).within(LONG));
            scene.in(other).acquire(exclusive(resource("u1", "a1", "r2")).within(LONG));
            // A second TransactionLocks on the same transaction knows nothing of the first, so nothing guards the
            // order.
            CompletableFuture<FencingToken> forth = async(() -> scene.in(one)
                    .acquire(exclusive(resource("u1", "a1", "r2")).within(LONG).as("forth")));
            CompletableFuture<FencingToken> back = async(() -> scene.in(other)
                    .acquire(exclusive(resource("u1", "a1", "r1")).within(LONG).as("back")));
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> forth.isCompletedExceptionally() || back.isCompletedExceptionally());
            CompletableFuture<FencingToken> failed = forth.isCompletedExceptionally() ? forth : back;
            assertThatThrownBy(failed::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(DeadlockException.class, error -> {
                        assertThat(error.retryable()).isTrue();
                        assertThat(error.report().cycle())
                                .extracting(each -> each.owner())
                                .containsExactlyInAnyOrder("forth", "back");
                    });
            (failed == forth ? one : other).rollback();
            (failed == forth ? back : forth).join();
            one.rollback();
            other.rollback();
        }
    }

    @Test
    void theCallersStatementTimeoutIsLeftAsItWas() throws Exception {
        try (Scene scene = new Scene(Server.POSTGRES);
                Connection connection = scene.begin();
                Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL statement_timeout = 1234567");
            Lease lease = scene.locks.acquire(exclusive(user("u1")));
            CompletableFuture<FencingToken> waiting = async(
                    () -> scene.in(connection).acquire(exclusive(user("u1")).within(LONG)));
            Awaitility.await().until(() -> scene.database.waits() > 0);
            lease.close();
            waiting.join();
            try (ResultSet row = statement.executeQuery("SHOW statement_timeout")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("1234567ms");
            }
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void springsTransactionCarriesThem(Server server) throws Exception {
        try (Scene scene = new Scene(server)) {
            DataSource dataSource = scene.database.dataSource();
            var manager = new DataSourceTransactionManager(dataSource);
            TransactionTemplate transaction = new TransactionTemplate(manager);
            transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
            List<Boolean> busy = transaction.execute(status -> {
                Connection connection = DataSourceUtils.getConnection(dataSource);
                scene.in(connection).acquire(exclusive(account("u1", "a1")).within(LONG));
                return List.of(scene.locks.tryAcquire(exclusive(account("u1", "a1"))) instanceof Busy);
            });
            assertThat(busy).containsExactly(true);
            take(scene.locks, account("u1", "a1")).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatARollbackToASavepointReleasedIsAcquiredAgain(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin()) {
            TransactionLocks locks = scene.in(connection);
            Savepoint savepoint = connection.setSavepoint("callers");
            locks.acquire(exclusive(account("u1", "a1")));
            connection.rollback(savepoint);
            assertThat(locks.acquire(exclusive(account("u1", "a1")))).isNotNull();
            assertThat(scene.locks.tryAcquire(exclusive(account("u1", "a1")))).isInstanceOf(Busy.class);
            connection.rollback(savepoint);
            assertThat(locks.acquire(exclusive(user("u2")))).as("a lower rank").isNotNull();
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSavepointOfTheCallersOutlivesALaterAcquire(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin()) {
            TransactionLocks locks = scene.in(connection);
            locks.acquire(exclusive(user("u1")));
            Savepoint first = connection.setSavepoint("first");
            locks.acquire(exclusive(account("u1", "a1")));
            Savepoint second = connection.setSavepoint("second");
            locks.acquire(exclusive(resource("u1", "a1", "r1")));
            connection.rollback(second);
            connection.rollback(first);
            assertThat(scene.locks.tryAcquire(exclusive(user("u1")))).isInstanceOf(Busy.class);
            connection.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInstanceThatIsUsedInTheNextTransactionHoldsWhatItAcquiresThere(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin()) {
            TransactionLocks locks = scene.in(connection);
            locks.acquire(exclusive(account("u1", "a1")));
            connection.commit();
            assertThat(locks.acquire(exclusive(user("u2")))).as("a lower rank").isNotNull();
            connection.commit();
            locks.acquire(exclusive(user("u2")));
            assertThat(scene.locks.tryAcquire(exclusive(user("u2")))).isInstanceOf(Busy.class);
            take(scene.locks, account("u1", "a1")).close();
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void tokensDoNotDependOnTheTimeZone(Server server) throws Exception {
        try (Scene scene = new Scene(server);
                Connection connection = scene.begin();
                Statement statement = connection.createStatement()) {
            statement.execute("SET time_zone = '-07:00'");
            try (Lease before = take(scene.locks, user("u1"))) {
                FencingToken between = scene.in(connection).acquire(exclusive(user("u2")));
                connection.commit();
                try (Lease after = CompletableFuture.supplyAsync(() -> take(scene.locks, user("u2")))
                        .get()) {
                    assertThat(between).isBetween(before.token(), after.token());
                }
            }
        }
    }
}
