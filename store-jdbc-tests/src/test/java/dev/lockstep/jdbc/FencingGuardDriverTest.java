package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.FencingToken;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What drivers and sessions can be set to doesn't change what the guard says, and it costs one round trip. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class FencingGuardDriverTest {
    private static final String ID = "it's \\ \"q\" ä😀\u0000";
    private static final List<String> SQL_MODES = List.of(
            "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO",
            "",
            "ANSI",
            "TRADITIONAL",
            "NO_BACKSLASH_ESCAPES",
            "NO_ZERO_DATE,NO_UNSIGNED_SUBTRACTION");

    private static FencingToken token(long value) {
        return new FencingToken(0, value);
    }

    @ParameterizedTest
    @CsvSource({
        "MYSQL, useAffectedRows, false",
        "MYSQL, useAffectedRows, true",
        "MYSQL, useServerPrepStmts, true",
        "MYSQL, characterEncoding, ISO-8859-1",
        "MYSQL, continueBatchOnError, true",
        "MARIADB, useAffectedRows, false",
        "MARIADB, useAffectedRows, true",
        "MARIADB, useServerPrepStmts, true",
        "POSTGRES, preferQueryMode, simple",
        "POSTGRES, prepareThreshold, 1",
        "POSTGRES, autosave, always"
    })
    void everySettingOfDriverAndSessionGivesTheSameAnswers(ServerKind kind, String name, String value)
            throws SQLException {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase();
                Connection connection = DriverManager.getConnection(
                        database.jdbcUrl(Map.of(name, value)), database.user(), database.password())) {
            FencingGuard.createTable(connection);
            connection.setAutoCommit(false);
            for (String mode : kind == ServerKind.POSTGRES ? List.of("") : SQL_MODES) {
                if (kind != ServerKind.POSTGRES) {
                    execute(connection, "SET SESSION sql_mode = '" + mode + "'");
                }
                assertAnswers(connection);
                connection.rollback();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"MYSQL, mariadb", "MARIADB, mysql"})
    void theOtherOnesDriverWorksToo(ServerKind kind, String driver) throws SQLException {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase()) {
            String url = database.jdbcUrl(Map.of("allowPublicKeyRetrieval", "true"))
                    .replaceFirst("jdbc:[a-z]+:", "jdbc:" + driver + ":");
            try (Connection connection = DriverManager.getConnection(url, database.user(), database.password())) {
                FencingGuard.createTable(connection);
                connection.setAutoCommit(false);
                assertAnswers(connection);
                connection.rollback();
            }
        }
    }

    private static void assertAnswers(Connection connection) throws SQLException {
        FencingGuard guard = FencingGuard.on(connection);
        for (int round = 1; round <= 7; round++) { // drivers change how they send after some rounds
            guard.check("job", ID, token(10 * round));
            guard.check("job", ID, token(10 * round));
            guard.check("job", ID, token(10 * round + 1));
            FencingToken seen = token(10 * round + 1);
            FencingToken stale = token(10 * round);
            assertThatThrownBy(() -> guard.check("job", ID, stale))
                    .isInstanceOfSatisfying(
                            StaleTokenException.class, e -> assertThat(e.seen()).contains(seen));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void aCheckIsOneRoundTrip(ServerKind kind) throws SQLException {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase();
                TcpProxy proxy = TcpProxy.to(database.server());
                Connection connection = through(proxy, database)) {
            FencingGuard.createTable(connection);
            connection.setAutoCommit(false);
            FencingGuard guard = FencingGuard.on(connection);
            guard.check("job", "j0", token(1));
            connection.commit();
            long before = proxy.roundTrips();
            for (int i = 1; i <= 20; i++) {
                guard.check("job", "j" + i % 3, token(i));
                assertThat(proxy.roundTrips() - before).isEqualTo(i);
            }
            before = proxy.roundTrips();
            assertThatThrownBy(() -> guard.check("job", "j1", token(0))).isInstanceOf(StaleTokenException.class);
            assertThat(proxy.roundTrips() - before)
                    .as("a refusal also reads the token seen")
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void theServerCountsOneStatementAndWarnsOfNothing(ServerKind kind) throws SQLException {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase();
                Connection connection = database.connect()) {
            FencingGuard.createTable(connection);
            connection.setAutoCommit(false);
            FencingGuard.on(connection).check("job", "j1", token(1));
            assertThat(number(connection, "SELECT @@warning_count")).isZero();
            long before = statements(connection);
            FencingGuard.on(connection).check("job", "j1", token(2));
            long oneOfThemCounts = 1;
            assertThat(statements(connection) - before).isEqualTo(1 + oneOfThemCounts);
            connection.rollback();
        }
    }

    private static long statements(Connection connection) throws SQLException {
        return number(connection, "SHOW SESSION STATUS LIKE 'Questions'");
    }

    /** The last column of the only row. */
    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(row.getMetaData().getColumnCount());
        }
    }

    private static Connection through(TcpProxy proxy, TestDatabase database) throws SQLException {
        String url = database.jdbcUrl().replace(":" + database.server().port(), ":" + proxy.port());
        return DriverManager.getConnection(url, database.user(), database.password());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
