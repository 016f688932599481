package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@Tag("once")
class ExternalServerTest {

    @Test
    void aMysqlServerIsUsedAsTheGoFormSays() throws SQLException {
        TestServer server = TestServers.mysql();
        try (Connection connection = server.connect()) {
            Sql.execute(connection, "CREATE USER IF NOT EXISTS 'go'@'%' IDENTIFIED BY 'p@ss'");
            Sql.execute(connection, "GRANT ALL ON *.* TO 'go'@'%'");
        }
        String address = "tcp(%s:%d)".formatted(server.host(), server.port());
        useFreshDatabase(ServerKind.MYSQL, "go:p@ss@" + address + "/mgl_test?parseTime=true");
    }

    @Test
    void aPostgresServerIsUsedAsTheUrlSays() throws SQLException {
        TestServer server = TestServers.postgres();
        String credentials = server.user() + ":" + server.password();
        useFreshDatabase(
                ServerKind.POSTGRES,
                "postgres://%s@%s:%d/lockstep".formatted(credentials, server.host(), server.port()));
    }

    private static void useFreshDatabase(ServerKind kind, String dsn) throws SQLException {
        try (TestDatabase database = new ExternalServer(Dsn.parse(kind, dsn)).freshDatabase();
                Connection connection = database.connect()) {
            Sql.execute(connection, "CREATE TABLE t (id INT PRIMARY KEY)");
            assertThat(connection.getCatalog()).isEqualTo(database.name());
        }
    }
}
