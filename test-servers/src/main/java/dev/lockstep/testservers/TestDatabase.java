package dev.lockstep.testservers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

/**
 * A database of a test's own. Closing it drops it; what is left goes with the server.
 *
 * @param server where it is
 * @param name its name
 */
public record TestDatabase(TestServer server, String name) implements AutoCloseable {

    static TestDatabase createdOn(TestServer server) throws SQLException {
        String name = "t_" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
        TestDatabase database = new TestDatabase(server, name);
        database.execute("CREATE DATABASE " + name);
        if (server instanceof ExternalServer external) {
            external.dropAtEnd(database);
        }
        return database;
    }

    /** The JDBC URL without user and password. */
    public String jdbcUrl() {
        return jdbcUrl(Map.of());
    }

    /** The JDBC URL with more parameters. */
    public String jdbcUrl(Map<String, String> params) {
        return server.endpoint().jdbcUrl(name, params);
    }

    /** The JDBC URL that leads through a proxy in front of the server. */
    public String jdbcUrl(TcpProxy proxy) {
        return server.endpoint().through(proxy).jdbcUrl(name, Map.of());
    }

    /** A user who may do everything. */
    public String user() {
        return server.user();
    }

    /** The user's password, mostly empty. */
    public String password() {
        return server.password();
    }

    /** A new connection to this database. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /** Drops the database if it is still there, on PostgreSQL even if a client is connected. */
    @Override
    public void close() throws SQLException {
        String force = server.kind() == ServerKind.POSTGRES ? " WITH (FORCE)" : "";
        execute("DROP DATABASE IF EXISTS " + name + force);
        if (server instanceof ExternalServer external) {
            external.dropped(this);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
