package dev.lockstep.jdbc.tables;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code hier_lock_settings} says: the one truth about which row stands for which key.
 *
 * @param buckets how many rows each level has; zero where rows stand for ids
 */
public record TableSettings(Layout layout, int buckets) {
    private static final String LAYOUT = "layout";
    private static final String BUCKETS = "buckets";
    private static final String HASH = "hash";

    /** The settings as rows of the table. */
    public Map<String, String> rows() {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put(LAYOUT, layout.text());
        if (layout == Layout.BUCKETS) {
            rows.put(BUCKETS, Integer.toString(buckets));
            rows.put(HASH, Fnv1a.NAME);
        }
        return rows;
    }

    /** What is recorded; empty when nothing is. */
    public static Optional<TableSettings> read(Connection connection) throws SQLException {
        Map<String, String> rows = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT name, value FROM hier_lock_settings")) {
            while (row.next()) {
                rows.put(row.getString(1), row.getString(2));
            }
        }
        return rows.containsKey(LAYOUT) ? Optional.of(parse(rows)) : Optional.empty();
    }

    private static TableSettings parse(Map<String, String> rows) {
        String text = rows.getOrDefault(LAYOUT, "");
        Layout layout = Layout.of(text).orElseThrow(() -> unreadable(LAYOUT, text));
        return layout == Layout.IDS ? new TableSettings(layout, 0) : new TableSettings(layout, bucketsOf(rows));
    }

    private static int bucketsOf(Map<String, String> rows) {
        String hash = rows.getOrDefault(HASH, "");
        if (!hash.equals(Fnv1a.NAME)) {
            throw unreadable(HASH, hash);
        }
        String buckets = rows.getOrDefault(BUCKETS, "");
        if (!buckets.matches("[1-9][0-9]{0,8}|1[0-9]{9}|2[01][0-9]{8}")
                || Long.parseLong(buckets) > Integer.MAX_VALUE) {
            throw unreadable(BUCKETS, buckets);
        }
        return Integer.parseInt(buckets);
    }

    private static LockException unreadable(String name, String value) {
        return new LockException(
                ErrorCode.STORE_FAILED,
                "hier_lock_settings says " + name + " = '" + value
                        + "', which this version can't use. Use the version that"
                        + " provisioned the database, or provision it anew: stop everything that takes locks, drop the"
                        + " hier_lock tables, and run Provisioning.",
                List.of(),
                null);
    }

    /** Records these settings unless others are recorded; returns those in force. Call it in a transaction. */
    public TableSettings recordIfFirst(Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT IGNORE INTO hier_lock_settings (name, value) VALUES (?, ?)")) {
            for (Map.Entry<String, String> row : rows().entrySet()) {
                insert.setString(1, row.getKey());
                insert.setString(2, row.getValue());
                boolean taken = insert.executeUpdate() == 0;
                if (taken) {
                    break; // the process that recorded the first row recorded, or is about to commit, the others
                }
            }
        }
        return read(connection).orElse(this);
    }

    /** Keeps others from recording anything until the transaction ends. */
    static void lock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT value FROM hier_lock_settings WHERE name = 'layout' FOR UPDATE");
        }
    }

    public void requireLayout(Layout wanted) {
        if (layout != wanted) {
            throw new InvalidRequestException(
                    "This database's lock rows stand for " + layout.text() + ", and " + wanted.text()
                            + " were asked for. Use the layout '" + layout.text() + "'. " + howToChange("layout"));
        }
    }

    public void requireBuckets(int wanted) {
        requireLayout(Layout.BUCKETS);
        if (buckets != wanted) {
            throw new InvalidRequestException("This database has " + buckets + " buckets per level, and " + wanted
                    + " were asked for. Processes that count differently would lock different rows for one key. Write"
                    + " buckets(" + buckets + "), or leave it out. " + howToChange("number"));
        }
    }

    private String howToChange(String what) {
        return "To change the " + what + ", stop everything that takes locks, DROP TABLE hier_lock_settings, "
                + layout.rows().sqlName() + ", and provision again.";
    }
}
