package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
class TcpProxyWithServerTest {

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void aStatementIsOneRoundTripAndACutBreaksTheConnection(ServerKind kind) throws SQLException {
        TestServer server = TestServers.shared(kind);
        try (TestDatabase database = server.freshDatabase();
                TcpProxy proxy = TcpProxy.to(server);
                Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(proxy), database.user(), database.password())) {
            assertThat(connection.getCatalog()).isEqualTo(database.name());
            long before = proxy.roundTrips();
            assertThat(Sql.number(connection, "SELECT 42")).isEqualTo(42);
            assertThat(proxy.roundTrips() - before).isEqualTo(1);
            proxy.cut();
            assertThatThrownBy(() -> Sql.number(connection, "SELECT 42")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void redisHasAUrlThroughTheProxy() {
        TestServer server = TestServers.redis();
        try (TcpProxy proxy = TcpProxy.to(server)) {
            assertThat(server.url(proxy)).isEqualTo("redis://127.0.0.1:" + proxy.port() + "/0");
            assertThat(Redis.ask(proxy.host(), proxy.port(), "PING")).isEqualTo("+PONG");
        }
    }
}
