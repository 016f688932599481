package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockException;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two transactions that write the same thing at once, on each real server. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
class FencingGuardConcurrencyTest {
    private static final FencingToken OLDER = new FencingToken(0, 5);
    private static final FencingToken NEWER = new FencingToken(0, 7);
    private static final String WAITING_ON_MYSQL =
            "SELECT COUNT(*) FROM performance_schema.data_locks WHERE OBJECT_SCHEMA = DATABASE() AND LOCK_STATUS = 'WAITING'";
    private static final String WAITING_ON_MARIADB = """
            SELECT COUNT(*)
            FROM information_schema.INNODB_TRX
            JOIN information_schema.PROCESSLIST ON ID = trx_mysql_thread_id
            WHERE DB = DATABASE() AND trx_state = 'LOCK WAIT'""";
    private static final String WAITING_ON_POSTGRES =
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

    /** For calls that block: a pool runs few of them at a time, and the tests run side by side. */
    private static final Executor NEW_THREAD = task -> new Thread(task).start();

    @Parameter
    ServerKind kind;

    private TestDatabase database;
    private Connection first;
    private Connection second;

    @BeforeEach
    void begin() throws SQLException {
        database = TestServers.shared(kind).freshDatabase();
        first = database.connect();
        second = database.connect();
        FencingGuard.createTable(first);
        first.setAutoCommit(false);
        second.setAutoCommit(false);
    }

    @AfterEach
    void end() throws SQLException {
        first.close();
        second.close();
        database.close();
    }

    private void isolation(int level) throws SQLException {
        first.setTransactionIsolation(level);
        second.setTransactionIsolation(level);
    }

    /** Makes the second transaction begin, with its snapshot, before the first one writes. */
    private void secondReads() throws SQLException {
        try (Statement statement = second.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM lockstep_fences")) {
            row.next();
        }
    }

    private CompletableFuture<Void> checkOnSecond(FencingToken token) throws SQLException {
        CompletableFuture<Void> check =
                CompletableFuture.runAsync(() -> FencingGuard.on(second).check("job", "j1", token), NEW_THREAD);
        try (Connection watcher = database.connect();
                Statement statement = watcher.createStatement()) {
            await("the second transaction waits for the first").until(() -> waiting(statement) > 0);
        }
        assertThat(check).isNotDone();
        return check;
    }

    private int waiting(Statement statement) throws SQLException {
        String sql = switch (kind) {
            case MYSQL -> WAITING_ON_MYSQL;
            case MARIADB -> WAITING_ON_MARIADB;
            default -> WAITING_ON_POSTGRES;
        };
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    private boolean failsOnOldSnapshots(int level) {
        return kind == ServerKind.POSTGRES && level != Connection.TRANSACTION_READ_COMMITTED;
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void anOlderTokenWaitsForTheNewerOnesCommitAndIsRefused(int level) throws SQLException {
        seenBefore();
        isolation(level);
        if (level != Connection.TRANSACTION_SERIALIZABLE) { // there a read of MySQL would block the first one
            secondReads();
        }
        FencingGuard.on(first).check("job", "j1", NEWER);
        CompletableFuture<Void> check = checkOnSecond(OLDER);
        first.commit();

        if (failsOnOldSnapshots(level)) {
            assertConflict(check);
            second.rollback();
        } else {
            assertStale(check);
        }
        assertThatThrownBy(() -> FencingGuard.on(second).check("job", "j1", OLDER))
                .isInstanceOf(StaleTokenException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void anOlderTokenIsRefusedAlsoWhenTheThingWasNeverWrittenBefore(int level) throws SQLException {
        isolation(level);
        secondReads();
        FencingGuard.on(first).check("job", "j1", NEWER);
        CompletableFuture<Void> check = checkOnSecond(OLDER);
        first.commit();

        if (failsOnOldSnapshots(level)) {
            assertConflict(check);
        } else {
            assertStale(check);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void anOlderTokenIsAcceptedWhenTheNewerOneRollsBack(int level) throws SQLException {
        seenBefore();
        isolation(level);
        secondReads();
        FencingGuard.on(first).check("job", "j1", NEWER);
        CompletableFuture<Void> check = checkOnSecond(OLDER);
        first.rollback();

        assertThat(check).succeedsWithin(Duration.ofMinutes(1));
        second.commit();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void theFirstWriteOfAThingThatRollsBackLeavesNothing(int level) throws SQLException {
        isolation(level);
        FencingGuard.on(first).check("job", "j1", NEWER);
        CompletableFuture<Void> check = checkOnSecond(OLDER);
        first.rollback();

        assertThat(check).succeedsWithin(Duration.ofMinutes(1));
        second.commit();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void aNewerTokenThatComesSecondIsAcceptedAfterTheWait(int level) throws SQLException {
        seenBefore();
        isolation(level);
        FencingGuard.on(first).check("job", "j1", OLDER);
        CompletableFuture<Void> check = checkOnSecond(NEWER);
        first.commit();

        if (failsOnOldSnapshots(level)) {
            assertConflict(check);
            second.rollback();
            FencingGuard.on(second).check("job", "j1", NEWER);
        } else {
            assertThat(check).succeedsWithin(Duration.ofMinutes(1));
        }
        second.commit();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void otherThingsDoNotWait(int level) throws SQLException {
        isolation(level);
        for (int i = 0; i < 20; i++) {
            FencingGuard.on(first).check("job", "j" + 2 * i, NEWER);
            FencingGuard.on(second).check("job", "j" + (2 * i + 1), OLDER);
        }
        first.commit();
        second.commit();
    }

    @Test
    void aWaitThatLastsTooLongIsATimeout() throws SQLException {
        FencingGuard.on(first).check("job", "j1", NEWER);
        try (Statement statement = second.createStatement()) {
            statement.execute(
                    kind == ServerKind.POSTGRES
                            ? "SET lock_timeout = '300ms'"
                            : "SET SESSION innodb_lock_wait_timeout = 1");
        }

        assertThatThrownBy(() -> FencingGuard.on(second).check("job", "j1", OLDER))
                .isInstanceOfSatisfying(LockException.class, e -> {
                    assertRetryable(e, ErrorCode.TIMEOUT);
                    assertNumber(e, 1205, "55P03");
                });
    }

    @Test
    void thingsThatAreCheckedInOppositeOrderAreADeadlock() throws SQLException {
        FencingGuard.on(second).check("job", "j2", OLDER);
        FencingGuard.on(first).check("job", "j1", NEWER);
        CompletableFuture<Void> check = checkOnSecond(OLDER);
        CompletableFuture<Void> crossing =
                CompletableFuture.runAsync(() -> FencingGuard.on(first).check("job", "j2", NEWER), NEW_THREAD);
        CompletableFuture<Object> failed = new CompletableFuture<>();
        check.exceptionally(e -> complete(failed, e));
        crossing.exceptionally(e -> complete(failed, e));

        assertThat(failed.join())
                .isInstanceOfSatisfying(
                        CompletionException.class,
                        e -> assertThat(e.getCause()).isInstanceOfSatisfying(LockException.class, cause -> {
                            assertRetryable(cause, ErrorCode.DEADLOCK);
                            assertNumber(cause, 1213, "40P01");
                        }));
        second.rollback();
        first.rollback();
    }

    private static Void complete(CompletableFuture<Object> failed, Throwable error) {
        failed.complete(error);
        return null;
    }

    private static void assertRetryable(LockException error, ErrorCode code) {
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.retryable()).isTrue();
    }

    /** By what the server reports: MySQL and MariaDB a number, PostgreSQL a state. */
    private void assertNumber(LockException error, int number, String state) {
        assertThat(error).cause().isInstanceOfSatisfying(SQLException.class, e -> {
            if (kind == ServerKind.POSTGRES) {
                assertThat(e.getSQLState()).isEqualTo(state);
            } else {
                assertThat(e.getErrorCode()).isEqualTo(number);
            }
        });
    }

    private void seenBefore() throws SQLException {
        FencingGuard.on(first).check("job", "j1", new FencingToken(0, 1));
        first.commit();
    }

    private static void assertStale(CompletableFuture<Void> check) {
        assertThatThrownBy(check::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StaleTokenException.class, e -> assertThat(e.seen()).contains(NEWER));
    }

    private static void assertConflict(CompletableFuture<Void> check) {
        assertThatThrownBy(check::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(LockException.class, e -> {
                    assertRetryable(e, ErrorCode.CONFLICT);
                    assertThat(e).hasMessageContaining("run the transaction again");
                });
    }
}
