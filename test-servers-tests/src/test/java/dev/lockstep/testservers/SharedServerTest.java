package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
class SharedServerTest {

    @ParameterizedTest
    @EnumSource
    void thereIsOneOfAKind(ServerKind kind) {
        TestServer server = TestServers.shared(kind);
        assertThat(TestServers.shared(kind)).isSameAs(server);
        assertThat(server.kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REDIS", "REDIS_7"})
    void freshDatabasesKnowNothingOfEachOther(ServerKind kind) throws SQLException {
        TestServer server = TestServers.shared(kind);
        try (TestDatabase one = server.freshDatabase();
                TestDatabase two = server.freshDatabase();
                Connection connection = one.connect();
                Connection other = two.connect()) {
            Sql.execute(connection, "CREATE TABLE t (id INT PRIMARY KEY)");
            Sql.execute(other, "CREATE TABLE t (id INT PRIMARY KEY)");
            assertThat(connection.getCatalog()).isEqualTo(one.name()).isNotEqualTo(other.getCatalog());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REDIS", "REDIS_7"})
    void aClosedDatabaseIsGone(ServerKind kind) throws SQLException {
        TestDatabase database = TestServers.shared(kind).freshDatabase();
        database.close();
        assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
        database.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void mysqlAndMariadbAreDurableAndTakeManyConnections(ServerKind kind) throws SQLException {
        try (PrivateServer server = TestServers.start(kind);
                Connection connection = server.connect()) {
            assertThat(connection.getCatalog()).isEqualTo("mgl_test");
            assertThat(Sql.number(connection, "SELECT @@innodb_flush_log_at_trx_commit"))
                    .isEqualTo(1);
            assertThat(Sql.number(connection, "SELECT @@max_connections")).isGreaterThanOrEqualTo(300);
            assertThat(Sql.number(connection, "SELECT @@skip_name_resolve")).isEqualTo(1);
        }
    }

    @Test
    void postgresIsDurableAndTakesManyConnections() throws SQLException {
        try (PrivateServer server = TestServers.startPostgres();
                Connection connection = server.connect()) {
            assertThat(connection.getCatalog()).isEqualTo("lockstep");
            assertThat(Sql.text(connection, "SHOW fsync")).isEqualTo("on");
            assertThat(Sql.text(connection, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(Integer.parseInt(Sql.text(connection, "SHOW max_connections")))
                    .isGreaterThanOrEqualTo(300);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void usersWithFewerRightsCanBeCreated(ServerKind kind) throws SQLException {
        try (PrivateServer server = TestServers.start(kind);
                Connection connection = server.connect()) {
            Sql.execute(connection, "CREATE TABLE t (id INT PRIMARY KEY)");
            Sql.execute(connection, "CREATE USER 'reader'@'%' IDENTIFIED BY 'secret'");
            Sql.execute(connection, "GRANT SELECT ON mgl_test.* TO 'reader'@'%'");
            try (Connection reader = DriverManager.getConnection(server.jdbcUrl(), "reader", "secret")) {
                assertThat(Sql.number(reader, "SELECT count(*) FROM t")).isZero();
                assertThatThrownBy(() -> Sql.execute(reader, "DELETE FROM t")).hasMessageContaining("denied");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "REDIS_7"})
    void redisAnswers(ServerKind kind) {
        TestServer server = TestServers.shared(kind);
        assertThat(server.url()).startsWith("redis://").endsWith("/0");
        assertThat(Redis.ask(server, "PING")).isEqualTo("+PONG");
    }

    @Test
    void whatAServerHasNotIsAnError() {
        for (TestServer server : List.of(TestServers.redis())) {
            assertThatThrownBy(server::jdbcUrl).hasMessageContaining("url()");
        }
        assertThatThrownBy(TestServers.postgres()::url).hasMessageContaining("jdbcUrl()");
    }
}
