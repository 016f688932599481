package dev.lockstep.jdbc.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Shortcuts for statements with small results. */
public final class Queries {
    /** SQL states of PostgreSQL when another session created the table at the same moment, which IF NOT EXISTS doesn't notice. */
    private static final Set<String> CREATED_BY_ANOTHER = Set.of("23505", "42P07", "42710");

    private Queries() {}

    /** The first column of the first row. */
    public static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        }
    }

    public static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    /** The first two columns: names, in lower case, and values. */
    public static Map<String, String> pairs(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            Map<String, String> pairs = new HashMap<>();
            while (row.next()) {
                pairs.put(row.getString(1).toLowerCase(Locale.ROOT), String.valueOf(row.getString(2)));
            }
            return pairs;
        }
    }

    /** Executes a statement and ignores its result. */
    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Creates a table by a statement with IF NOT EXISTS. */
    public static void createTable(Connection connection, String sql) throws SQLException {
        try {
            execute(connection, sql);
        } catch (SQLException e) {
            if (!CREATED_BY_ANOTHER.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            execute(connection, sql);
        }
    }
}
