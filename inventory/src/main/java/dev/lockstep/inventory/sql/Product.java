package dev.lockstep.inventory.sql;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The databases that stock can be kept in. */
public enum Product {
    MYSQL,
    MARIADB,
    POSTGRESQL,
    H2;

    /** Before its version it may have another, 5.5.5, for old clients. */
    private static final Pattern MARIADB_VERSION =
            Pattern.compile("(\\d+)\\.(\\d+)\\.\\d+-mariadb", Pattern.CASE_INSENSITIVE);

    public static Product of(Connection connection) throws SQLException {
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

    /** MariaDB has it since 10.6. */
    public static boolean hasJsonTable(String version) {
        Matcher mariadb = MARIADB_VERSION.matcher(version);
        if (!mariadb.find()) {
            return true;
        }
        int major = Integer.parseInt(mariadb.group(1));
        return major > 10 || (major == 10 && Integer.parseInt(mariadb.group(2)) >= 6);
    }

    /** The folder of its migrations on the class path. */
    public String migrations() {
        return "db/lockstep-inventory/" + name().toLowerCase(Locale.ROOT);
    }
}
