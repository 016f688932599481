package dev.lockstep.inventory;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** The databases that stock can be kept in. */
enum Product {
    MYSQL,
    MARIADB,
    POSTGRESQL,
    H2;

    static Product of(Connection connection) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        String name = about.getDatabaseProductName();
        // Connector/J calls MariaDB MySQL.
        if ((name + about.getDatabaseProductVersion()).toLowerCase(Locale.ROOT).contains("mariadb")) {
            return MARIADB;
        }
        return switch (name) {
            case "MySQL" -> MYSQL;
            case "PostgreSQL" -> POSTGRESQL;
            case "H2" -> H2;
            default ->
                throw new LockException(
                        ErrorCode.INVALID_REQUEST,
                        "The database is " + name + ". Stock can be kept in MySQL, MariaDB, PostgreSQL or H2.",
                        List.of(),
                        null);
        };
    }

    Tables tables() {
        return switch (this) {
            case POSTGRESQL -> new PostgresTables();
            case MYSQL, MARIADB -> new InnodbTables();
            case H2 -> new H2Tables();
        };
    }

    /** The folder of its migrations on the class path. */
    String migrations() {
        return "db/lockstep-inventory/" + name().toLowerCase(Locale.ROOT);
    }
}
