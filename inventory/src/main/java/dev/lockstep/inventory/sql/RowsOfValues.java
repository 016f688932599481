package dev.lockstep.inventory.sql;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one INSERT, with all values in the statement: for many rows, parameters cost the drivers of MySQL and MariaDB more time
 * than the server needs to insert them. Text that isn't plain letters, digits and a few signs is written in hexadecimal, so no text
 * can be taken for SQL.
 */
public final class RowsOfValues {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");
    private static final String PLAIN_SIGNS = " _-.:/";

    private final StringBuilder rows = new StringBuilder(16_384);
    private final String beforeHex;
    private final String afterHex;
    private boolean first;

    /** With what stands around hexadecimal digits to make them text in UTF-8. */
    public RowsOfValues(String beforeHex, String afterHex) {
        this.beforeHex = beforeHex;
        this.afterHex = afterHex;
    }

    /** Begins a row. */
    public RowsOfValues row() {
        rows.append(rows.isEmpty() ? " VALUES (" : "), (");
        first = true;
        return this;
    }

    public RowsOfValues text(@Nullable String text) {
        if (text == null) {
            return value("NULL");
        }
        if (text.chars().allMatch(RowsOfValues::isPlain)) {
            return value("'" + text + "'");
        }
        return value(beforeHex + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + afterHex);
    }

    private static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || PLAIN_SIGNS.indexOf(c) >= 0;
    }

    public RowsOfValues number(long number) {
        return value(Long.toString(number));
    }

    public RowsOfValues time(@Nullable LocalDateTime time) {
        return value(time == null ? "NULL" : "TIMESTAMP '" + TIME.format(time) + "'");
    }

    private RowsOfValues value(String sql) {
        if (!first) {
            rows.append(", ");
        }
        first = false;
        rows.append(sql);
        return this;
    }

    public void insertInto(Connection connection, String tableAndColumns) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO " + tableAndColumns + rows + ")");
        }
    }
}
