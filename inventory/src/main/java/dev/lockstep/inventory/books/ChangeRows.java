package dev.lockstep.inventory.books;

import dev.lockstep.inventory.LedgerChange;
import dev.lockstep.inventory.LedgerEntry;
import dev.lockstep.inventory.StockKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statements of the feed of changes. */
public final class ChangeRows {
    private static final String LINES = """
            SELECT type, physical_change, allocated_change, physical_after, allocated_after, sequence,
                   request_id, reservation_id, note, created_at, sku, location
            FROM inventory_transaction WHERE
            """;
    private static final String RANGE = "(sku = ? AND location = ? AND sequence >= ? AND sequence <= ?)";
    private static final int RANGES_AT_ONCE = 32;

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
    public static List<LedgerChange> after(Tables tables, Connection connection, long position, int most)
            throws SQLException {
        long start = position;
        while (true) {
            List<Range> ranges = ranges(connection, start, Math.min(most, RANGES_AT_ONCE));
            if (ranges.isEmpty()) {
                return List.of();
            }
            ranges.set(0, ranges.get(0).after(start));
            List<Range> few = few(ranges, most);
            List<LedgerChange> lines = lines(tables, connection, few, most);
            if (!lines.isEmpty()) {
                return lines;
            }
            start = few.get(few.size() - 1).position(); // a checkpoint stands for these lines
        }
    }

    /** The first ranges, up to this many lines; at least one. */
    private static List<Range> few(List<Range> ranges, int most) {
        long lines = ranges.get(0).lines();
        int count = 1;
        while (count < ranges.size() && lines + ranges.get(count).lines() <= most) {
            lines += ranges.get(count++).lines();
        }
        return ranges.subList(0, count);
    }

    private static List<Range> ranges(Connection connection, long after, int most) throws SQLException {
        String sql = "SELECT position, sku, location, first_line, last_line FROM inventory_change"
                + " WHERE position > ? ORDER BY position LIMIT " + most;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
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

    /** Lines of ranges, in the order of their positions. If there are more, it is a single range. */
    private static List<LedgerChange> lines(Tables tables, Connection connection, List<Range> ranges, int most)
            throws SQLException {
        String sql = tables.opening() + LINES + String.join(" OR ", Collections.nCopies(ranges.size(), RANGE))
                + " ORDER BY sku, location, sequence LIMIT " + most;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int at = 1;
            for (Range range : ranges) {
                statement.setString(at++, range.key().sku());
                statement.setString(at++, range.key().location());
                statement.setLong(at++, range.first());
                statement.setLong(at++, range.last());
            }
            try (ResultSet result = tables.query(statement)) {
                Map<StockKey, List<LedgerEntry>> lines = new HashMap<>();
                while (result.next()) {
                    StockKey key = new StockKey(result.getString(11), result.getString(12));
                    lines.computeIfAbsent(key, any -> new ArrayList<>()).add(LedgerQuery.line(key, result));
                }
                return withPositions(ranges, lines);
            }
        }
    }

    private static List<LedgerChange> withPositions(List<Range> ranges, Map<StockKey, List<LedgerEntry>> lines) {
        List<LedgerChange> changes = new ArrayList<>();
        for (Range range : ranges) {
            for (LedgerEntry line : lines.getOrDefault(range.key(), List.of())) {
                long number = line.change().after().version();
                if (number >= range.first() && number <= range.last()) {
                    changes.add(new LedgerChange(range.position() - (range.last() - number), line));
                }
            }
        }
        return changes;
    }

    /** The next stocks after the given one that have lines without a position, in the order of the table; nothing is locked. */
    public static List<StockKey> unpublished(Tables tables, Connection connection, StockKey from, int most)
            throws SQLException {
        KeyRange range = KeyRange.after(from);
        String sql = "SELECT sku, location FROM inventory_location " + tables.unpublishedHint()
                + " WHERE unpublished = 1 AND " + range.condition() + " ORDER BY sku, location LIMIT " + most;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
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
