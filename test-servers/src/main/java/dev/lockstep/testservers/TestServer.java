package dev.lockstep.testservers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/** A running server for tests. */
public sealed interface TestServer permits PrivateServer, ExternalServer {
    /** Where it is. */
    Endpoint endpoint();

    /** What it is. */
    default ServerKind kind() {
        return endpoint().kind();
    }

    /** Its name or address, mostly 127.0.0.1. */
    default String host() {
        return endpoint().host();
    }

    /** Its TCP port. */
    default int port() {
        return endpoint().port();
    }

    /** A user who may do everything; empty for Redis. */
    default String user() {
        return endpoint().user();
    }

    /** The user's password, mostly empty. */
    default String password() {
        return endpoint().password();
    }

    /** The database that {@link #jdbcUrl()} leads to: {@code mgl_test}, or {@code lockstep} on PostgreSQL. */
    default String database() {
        return endpoint().database();
    }

    /** The JDBC URL without user and password; not for Redis. */
    default String jdbcUrl() {
        return jdbcUrl(Map.of());
    }

    /** The JDBC URL with more parameters. */
    default String jdbcUrl(Map<String, String> params) {
        return endpoint().jdbcUrl(database(), params);
    }

    /** The JDBC URL that leads through a proxy in front of the server. */
    default String jdbcUrl(TcpProxy proxy) {
        return endpoint().through(proxy).jdbcUrl(database(), Map.of());
    }

    /** The URL of a Redis server, as {@code redis://127.0.0.1:6379/0}. */
    default String url() {
        return endpoint().redisUrl();
    }

    /** The URL of a Redis server that leads through a proxy in front of it. */
    default String url(TcpProxy proxy) {
        return endpoint().through(proxy).redisUrl();
    }

    /** A connection to {@link #database()}. The test's class path must have the JDBC driver. */
    default Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /** Creates an empty database with its own name. Not for Redis. */
    default TestDatabase freshDatabase() throws SQLException {
        return TestDatabase.createdOn(this);
    }
}
