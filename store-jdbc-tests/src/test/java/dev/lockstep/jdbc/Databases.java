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

    static DataSource of(TestDatabase database, String user, String password) {
        return new DriverManagerDataSource(database.jdbcUrl(), user, password);
    }

    /** By the driver of MariaDB, which can talk to MySQL too and is under a licence that lets it go with others' programs. */
    static DataSource ofMariaDbDriver(TestDatabase database) {
        String url = database.jdbcUrl().replaceFirst("^jdbc:mysql:", "jdbc:mariadb:");
        return new DriverManagerDataSource(url, database.user(), database.password());
    }
}
