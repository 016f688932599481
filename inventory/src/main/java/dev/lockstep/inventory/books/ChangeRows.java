package dev.lockstep.inventory.books;

import dev.lockstep.inventory.LedgerChange;
import dev.lockstep.inventory.StockKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statements of the feed of changes. */
public final class ChangeRows {
    private static final String LINES = """
            SELECT line.type, line.physical_change, line.allocated_change, line.physical_after, line.allocated_after,
                   line.sequence, line.request_id, line.reservation_id, line.note, line.created_at,
                   line.sku, line.location, changed.position - (changed.last_line - line.sequence)
            FROM inventory_change changed
            JOIN inventory_transaction line
              ON line.sku = changed.sku AND line.location = changed.location
                AND line.sequence >= changed.first_line AND line.sequence <= changed.last_line
            """;

    /**
     * Consecutive lines of one stock.
     *
     * @param position that of the last of them
     */
    public record Range(long position, StockKey key, long first, long last) {
        /** Those of them with a higher position than the given one. */
        Range after(long start) {
            return new Range(position, key, Math.max(first, last - (position - start) + 1), last);
        }

        long lines() {
            return last - first + 1;
        }
    }

    private ChangeRows() {}

    /** The last position that was given. */
    public static long position(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT position FROM inventory_feed WHERE id = 1")) {
            return number(statement);
        }
    }

    /** The same, and no other transaction gives positions until the end of this one. */
    public static long lockedPosition(Tables tables, Connection connection, int seconds) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT position FROM inventory_feed WHERE id = 1 FOR UPDATE")) {
            Tables.Restore restore = tables.limit(statement, seconds);
            try {
                return number(statement);
            } finally {
                restore.run();
            }
        }
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            if (!result.next()) {
                throw new SQLException("The row of inventory_feed is missing: run the migration V3__changes.sql again");
            }
            return result.getLong(1);
        }
    }

    public static void setPosition(Connection connection, long position) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE inventory_feed SET position = ? WHERE id = 1")) {
            statement.setLong(1, position);
            statement.executeUpdate();
        }
    }

    /** The next lines after a position, of ranges that together have few; empty only when there is no line after it. */
    public static List<LedgerChange> after(Connection connection, long position, int most) throws SQLException {
        long start = position;
        while (true) {
            List<Range> ranges = ranges(connection, start, most);
            if (ranges.isEmpty()) {
                return List.of();
            }
            Range first = ranges.get(0).after(start);
            Range last = lastWithin(ranges, start, most);
            List<LedgerChange> lines =
                    first.lines() >= most ? lines(connection, first, most) : lines(connection, start, last.position());
            if (!lines.isEmpty()) {
                return lines;
            }
            start = first.lines() >= most ? first.position() : last.position(); // a checkpoint stands for these lines
        }
    }

    private static Range lastWithin(List<Range> ranges, long start, int most) {
        long lines = 0;
        Range last = ranges.get(0);
        for (Range range : ranges) {
            lines += range.after(start).lines();
            if (lines > most) {
                break;
            }
            last = range;
        }
        return last;
    }

    private static List<Range> ranges(Connection connection, long after, int most) throws SQLException {
        String sql = "SELECT position, sku, location, first_line, last_line FROM inventory_change"
                + " WHERE position > ? ORDER BY position";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(most);
            statement.setLong(1, after);
            try (ResultSet result = statement.executeQuery()) {
                List<Range> ranges = new ArrayList<>();
                while (result.next()) {
                    StockKey key = new StockKey(result.getString(2), result.getString(3));
                    ranges.add(new Range(result.getLong(1), key, result.getLong(4), result.getLong(5)));
                }
                return ranges;
            }
        }
    }

    private static List<LedgerChange> lines(Connection connection, Range range, int most) throws SQLException {
        String sql = LINES + "WHERE changed.position = ? AND line.sku = ? AND line.location = ? AND line.sequence >= ?"
                + " ORDER BY line.sequence";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(most);
            statement.setLong(1, range.position());
            statement.setString(2, range.key().sku());
            statement.setString(3, range.key().location());
            statement.setLong(4, range.first());
            return read(statement);
        }
    }

    private static List<LedgerChange> lines(Connection connection, long after, long upTo) throws SQLException {
        String sql = LINES + """
                WHERE changed.position > ? AND changed.position <= ?
                  AND changed.position - (changed.last_line - line.sequence) > ?
                ORDER BY changed.position, line.sequence
                """;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, after);
            statement.setLong(2, upTo);
            statement.setLong(3, after);
            return read(statement);
        }
    }

    private static List<LedgerChange> read(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            List<LedgerChange> lines = new ArrayList<>();
            while (result.next()) {
                StockKey key = new StockKey(result.getString(11), result.getString(12));
                lines.add(new LedgerChange(result.getLong(13), LedgerQuery.line(key, result)));
            }
            return lines;
        }
    }

    /** The next stocks after the given one that have lines without a position, in the order of the table; nothing is locked. */
    public static List<StockKey> unpublished(Connection connection, StockKey from, int most) throws SQLException {
        KeyRange range = KeyRange.after(from);
        String sql = "SELECT sku, location FROM inventory_location WHERE unpublished = 1 AND " + range.condition()
                + " ORDER BY sku, location";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(most);
            range.fill(statement, 1);
            try (ResultSet result = statement.executeQuery()) {
                List<StockKey> keys = new ArrayList<>();
                while (result.next()) {
                    keys.add(new StockKey(result.getString(1), result.getString(2)));
                }
                return keys;
            }
        }
    }

    /** Up to which line of some stocks positions were given. */
    public static Map<StockKey, Long> published(Connection connection, List<StockKey> keys) throws SQLException {
        String sql = "SELECT sku, location, published FROM inventory_location WHERE " + Tables.isOneOf(keys);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Tables.fill(statement, keys);
            try (ResultSet result = statement.executeQuery()) {
                Map<StockKey, Long> published = new HashMap<>();
                while (result.next()) {
                    published.put(new StockKey(result.getString(1), result.getString(2)), result.getLong(3));
                }
                return published;
            }
        }
    }

    /** Writes ranges that have got their positions. */
    public static void insert(Connection connection, List<Range> ranges) throws SQLException {
        String sql = "INSERT INTO inventory_change (position, sku, location, first_line, last_line)"
                + " VALUES (?, ?, ?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Range range : ranges) {
                statement.setLong(1, range.position());
                statement.setString(2, range.key().sku());
                statement.setString(3, range.key().location());
                statement.setLong(4, range.first());
                statement.setLong(5, range.last());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Notes up to which line a stock has positions. Its row must be locked: a line that is added later counts again. */
    public static void markPublished(Connection connection, Map<StockKey, Long> lines) throws SQLException {
        String sql = "UPDATE inventory_location SET published = ?, unpublished = 0 WHERE sku = ? AND location = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Map.Entry<StockKey, Long> line : lines.entrySet()) {
                statement.setLong(1, line.getValue());
                statement.setString(2, line.getKey().sku());
                statement.setString(3, line.getKey().location());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }
}
