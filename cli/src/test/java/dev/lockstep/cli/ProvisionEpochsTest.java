package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code lockstep provision --epochs}, on every kind of database. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ProvisionEpochsTest {
    private static Run run(TestDatabase database, String... more) {
        return Run.of(StoreArgs.of(
                database,
                Stream.concat(Stream.of("provision", "--epochs"), Stream.of(more))
                        .toArray(String[]::new)));
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void makesTheRowOnce(ServerKind kind) throws SQLException {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase()) {
            assertThat(run(database, "--check").code()).isEqualTo(ExitCode.NOT_AS_IT_SHOULD.number());
            assertThat(run(database).out()).contains("The row of the pair 'default' was made");
            assertThat(run(database).out()).contains("The row of the pair 'default' was already there");
            assertThat(run(database, "--check").code()).isZero();
            assertThat(run(database, "--check", "--pair", "orders").out()).contains("'orders' is missing");
            assertThat(run(database, "--pair", "orders").code()).isZero();
            assertThat(rows(database)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void theSqlThatItPrintsDoesTheSame(ServerKind kind) throws SQLException {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase()) {
            Run sql = run(database, "--print-sql", "--pair", "orders");
            assertThat(sql.code()).as(sql.all()).isZero();
            for (String statement : sql.out().split(";\n", -1)) {
                if (!statement.isBlank()) {
                    execute(database, statement);
                }
            }
            assertThat(run(database, "--pair", "orders").out()).contains("was already there");
        }
    }

    @Test
    void theSqlNeedsNoServer() {
        Run run = Run.of("provision", "--epochs", "--print-sql", "--store", "jdbc:postgresql://nowhere.invalid/app");
        assertThat(run.code()).as(run.all()).isZero();
        assertThat(run.out()).contains("CREATE TABLE IF NOT EXISTS lockstep_epochs", "ON CONFLICT (name) DO NOTHING");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        Run redis = Run.of("provision", "--epochs", "--store", "redis://localhost:1");
        assertThat(redis.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(redis.err()).contains("jdbc:postgresql://host/database");
        Run kinds = Run.of("provision", "--epochs", "--kind", "user:0", "--store", "jdbc:mysql://localhost:1/app");
        assertThat(kinds.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(kinds.err()).contains("Leave --kind");
        Run pair = Run.of("provision", "--pair", "orders", "--store", "jdbc:mysql://localhost:1/app");
        assertThat(pair.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(pair.err()).contains("--epochs");
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long rows(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM lockstep_epochs")) {
            row.next();
            return row.getLong(1);
        }
    }
}
