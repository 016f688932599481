package dev.lockstep.jdbc.numbers;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.OptionalLong;

/** The table of shared numbers and its statements. A change counts itself, so that the number of changed rows means the same whatever the driver's settings. */
public enum NumberSql {
    /** MySQL and MariaDB. Names go as hexadecimal digits, whatever the character set and the sql_mode. */
    MYSQL("""
            CREATE TABLE IF NOT EXISTS lockstep_numbers (
              name VARBINARY(700) NOT NULL,
              number BIGINT NOT NULL,
              changes BIGINT NOT NULL,
              PRIMARY KEY (name)
            ) ENGINE = InnoDB
            """, """
            INSERT INTO lockstep_numbers (name, number, changes) VALUES (UNHEX(?), ?, 0)
            ON DUPLICATE KEY UPDATE changes = changes
            """, "UNHEX(?)") {
        @Override
        String bound(String name) {
            return HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8));
        }
    },

    /** PostgreSQL. */
    POSTGRESQL("""
            CREATE TABLE IF NOT EXISTS lockstep_numbers (
              name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
              number BIGINT NOT NULL,
              changes BIGINT NOT NULL
            )
            """, """
            INSERT INTO lockstep_numbers (name, number, changes) VALUES (?, ?, 0)
            ON CONFLICT (name) DO NOTHING
            """, "?") {
        @Override
        String bound(String name) {
            return name;
        }
    };

    public static final String TABLE = "lockstep_numbers";

    /** Creates the table unless it is there. */
    public final String create;

    private final String insert;
    private final String read;
    private final String replace;

    NumberSql(String create, String insert, String name) {
        this.create = create.strip();
        this.insert = insert.strip();
        read = "SELECT number FROM lockstep_numbers WHERE name = " + name;
        replace = "UPDATE lockstep_numbers SET number = ?, changes = changes + 1 WHERE name = " + name
                + " AND number = ?";
    }

    abstract String bound(String name);

    OptionalLong read(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            statement.setString(1, bound(name));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    void insert(Connection connection, String name, long number) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, bound(name));
            statement.setLong(2, number);
            statement.executeUpdate();
        }
    }

    boolean replace(Connection connection, String name, long expected, long next) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(replace)) {
            statement.setLong(1, next);
            statement.setString(2, bound(name));
            statement.setLong(3, expected);
            return statement.executeUpdate() == 1;
        }
    }
}
