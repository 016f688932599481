package dev.lockstep.cli.store;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.Doctor;
import dev.lockstep.jdbc.RowLockStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;

/** The databases that there are locks on. */
public enum DatabaseProduct {
    /** MySQL 8. */
    MYSQL,
    /** MariaDB. */
    MARIADB,
    /** PostgreSQL. */
    POSTGRESQL;

    LockStore store(DataSource dataSource) {
        return switch (this) {
            case MYSQL -> RowLockStore.mysql(dataSource);
            case MARIADB -> RowLockStore.mariadb(dataSource);
            case POSTGRESQL -> AdvisoryLockStore.postgresql(dataSource);
        };
    }

    Doctor doctor(DataSource dataSource) {
        return switch (this) {
            case MYSQL -> Doctor.mysql(dataSource);
            case MARIADB -> Doctor.mariadb(dataSource);
            case POSTGRESQL -> Doctor.postgresql(dataSource);
        };
    }

    /** Asks the server, because one driver and one kind of URL can lead to MySQL and to MariaDB. */
    static DatabaseProduct of(JdbcUrl url) {
        try (Connection connection = url.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT VERSION()")) {
            row.next();
            String version = row.getString(1).toLowerCase(Locale.ROOT);
            return version.contains("postgresql") ? POSTGRESQL : version.contains("mariadb") ? MARIADB : MYSQL;
        } catch (SQLException e) {
            throw JdbcUrl.failure("Asking " + url.shown() + " for its version", e);
        }
    }
}
