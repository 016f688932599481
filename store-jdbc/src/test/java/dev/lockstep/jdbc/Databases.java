package dev.lockstep.jdbc;

import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Data sources without a pool: each connection is a new one. */
final class Databases {
    private Databases() {}

    static DataSource of(TestServer server) {
        return new DriverManagerDataSource(server.jdbcUrl(), server.user(), server.password());
    }

    static DataSource of(TestDatabase database) {
        return new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    }
}
