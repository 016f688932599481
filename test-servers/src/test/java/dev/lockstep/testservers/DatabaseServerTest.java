package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class DatabaseServerTest {

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void aSharedServerAnswersAndGivesFreshDatabases(ServerKind kind) throws SQLException {
        TestServer server = TestServers.shared(kind);
        assertThat(TestServers.shared(kind)).isSameAs(server);
        try (TestDatabase one = server.freshDatabase();
                TestDatabase two = server.freshDatabase();
                Connection connection = one.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
            assertThat(one.name()).isNotEqualTo(two.name());
            assertThat(connection.getCatalog()).isEqualTo(one.name());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void aKilledServerComesBackOnItsPortWithItsData(ServerKind kind) throws SQLException {
        try (PrivateServer server = TestServers.start(kind)) {
            execute(server, "CREATE TABLE t (id INT PRIMARY KEY)");
            execute(server, "INSERT INTO t VALUES (42)");
            long before = server.pid();
            server.restart();
            assertThat(server.pid()).isNotEqualTo(before);
            assertThat(number(server, "SELECT id FROM t")).isEqualTo(42);
        }
    }

    private static void execute(TestServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int number(TestServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
