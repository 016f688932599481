package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many writers with tokens in any order: what was written is in the order of the tokens. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class FencingGuardStressTest {
    private static final int WRITERS = 6;
    private static final int WRITES = 150;
    private static final int THINGS = 3;

    @ParameterizedTest
    @CsvSource({
        "MYSQL, READ COMMITTED",
        "MYSQL, REPEATABLE READ",
        "MARIADB, READ COMMITTED",
        "MARIADB, REPEATABLE READ",
        "POSTGRES, READ COMMITTED",
        "POSTGRES, REPEATABLE READ"
    })
    void writesComeInTheOrderOfTheirTokens(ServerKind kind, String isolation) throws SQLException {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase()) {
            prepare(database);
            ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int seed = i;
                writers.add(CompletableFuture.runAsync(() -> write(database, isolation, seed), threads));
            }
            writers.forEach(CompletableFuture::join);
            threads.shutdown();
            for (int thing = 0; thing < THINGS; thing++) {
                assertThat(written(database, thing)).isSorted().hasSizeGreaterThan(WRITES / 20);
            }
        }
    }

    private static void prepare(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            FencingGuard.createTable(connection);
            statement.execute("CREATE TABLE counters (thing INT PRIMARY KEY, place INT NOT NULL)");
            statement.execute(
                    "CREATE TABLE written (thing INT, place INT, token BIGINT NOT NULL, PRIMARY KEY (thing, place))");
            for (int thing = 0; thing < THINGS; thing++) {
                statement.execute("INSERT INTO counters VALUES (" + thing + ", 0)");
            }
        }
    }

    private static void write(TestDatabase database, String isolation, int seed) {
        Random random = new Random(seed);
        try (Connection connection = database.connect()) {
            connection.setTransactionIsolation(
                    isolation.equals("READ COMMITTED")
                            ? Connection.TRANSACTION_READ_COMMITTED
                            : Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            for (int i = 1; i <= WRITES; i++) {
                FencingToken token = new FencingToken(0, i + random.nextInt(20));
                write(connection, random.nextInt(THINGS), token);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void write(Connection connection, int thing, FencingToken token) throws SQLException {
        try {
            FencingGuard.on(connection).check("thing", "t" + thing, token);
            append(connection, thing, token);
            connection.commit();
        } catch (LockException e) {
            connection.rollback();
            assertThat(e.code()).isIn(ErrorCode.STALE_TOKEN, ErrorCode.CONFLICT);
        }
    }

    /** Notes in which order the guard let the transactions in. */
    private static void append(Connection connection, int thing, FencingToken token) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("UPDATE counters SET place = place + 1 WHERE thing = " + thing);
            statement.execute("INSERT INTO written SELECT thing, place, " + token.value()
                    + " FROM counters WHERE thing = " + thing);
        }
    }

    private static List<Long> written(TestDatabase database, int thing) throws SQLException {
        List<Long> tokens = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT token FROM written WHERE thing = " + thing + " ORDER BY place")) {
            while (row.next()) {
                tokens.add(row.getLong(1));
            }
        }
        return tokens;
    }
}
