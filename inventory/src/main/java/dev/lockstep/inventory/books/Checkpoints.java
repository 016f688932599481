package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.EntryType;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.sql.Placeholders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements of the retention. A checkpoint is the line that stands for all lines up to it: its change is what they add up to, so the
 * ledger adds up as before.
 */
public final class Checkpoints {
    /** What the request ids of checkpoints begin with, and no others. */
    public static final String PREFIX = "checkpoint/";

    /** A line of a ledger, as far as the retention needs it. */
    public record Line(Change change, EntryType type, LocalDateTime createdAt) {
        long number() {
            return change.after().version();
        }

        /** Whether numbers may be missing before it. */
        boolean mayFollowGap() {
            return type == EntryType.REPAIR || type == EntryType.CHECKPOINT;
        }
    }

    private Checkpoints() {}

    /** The next lines of a stock after the given one. */
    public static List<Line> lines(Connection connection, StockKey key, long after, int most) throws SQLException {
        String sql = """
                SELECT sequence, physical_change, allocated_change, physical_after, allocated_after, type, created_at
                FROM inventory_transaction
                WHERE sku = ? AND location = ? AND sequence > ?
                ORDER BY sequence
                """;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(most);
            statement.setString(1, key.sku());
            statement.setString(2, key.location());
            statement.setLong(3, after);
            try (ResultSet result = statement.executeQuery()) {
                List<Line> lines = new ArrayList<>();
                while (result.next()) {
                    Stock left = new Stock(key, result.getLong(4), result.getLong(5), result.getLong(1));
                    lines.add(new Line(
                            new Change(result.getLong(2), result.getLong(3), left),
                            EntryType.valueOf(result.getString(6)),
                            result.getObject(7, LocalDateTime.class)));
                }
                return lines;
            }
        }
    }

    /** Replaces a line and all before it by a checkpoint; returns how many lines are gone. */
    public static int replace(Connection connection, StockKey key, long number) throws SQLException {
        int deleted = update(
                connection,
                "DELETE FROM inventory_transaction WHERE sku = ? AND location = ? AND sequence < ?",
                key.sku(),
                key.location(),
                number);
        update(
                connection,
                "DELETE FROM inventory_change WHERE sku = ? AND location = ? AND last_line < ?",
                key.sku(),
                key.location(),
                number);
        update(connection, """
                UPDATE inventory_transaction
                SET type = 'CHECKPOINT', physical_change = physical_after, allocated_change = allocated_after,
                    request_id = ?, request_line = 0, reservation_id = NULL, note = NULL
                WHERE sku = ? AND location = ? AND sequence = ?
                """, PREFIX + Payload.hash(key) + "/" + number, key.sku(), key.location(), number);
        return deleted;
    }

    /** Ids of reservations with lines that ended before that time, in their order, after the given one. */
    public static List<String> ended(Connection connection, String after, LocalDateTime before, int most)
            throws SQLException {
        String sql = """
                SELECT DISTINCT reservation_id
                FROM inventory_reservation
                WHERE reservation_id > ? AND state <> 'HELD' AND ended_at < ?
                ORDER BY reservation_id
                """;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(most);
            statement.setString(1, after);
            statement.setObject(2, before);
            try (ResultSet result = statement.executeQuery()) {
                List<String> ids = new ArrayList<>();
                while (result.next()) {
                    ids.add(result.getString(1));
                }
                return ids;
            }
        }
    }

    /** Deletes the lines of reservations that ended before that time; returns how many. */
    public static int deleteEnded(Connection connection, List<String> ids, LocalDateTime before) throws SQLException {
        String sql = "DELETE FROM inventory_reservation WHERE state <> 'HELD' AND ended_at < ? AND reservation_id IN ("
                + Placeholders.upTo(ids.size()) + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, before);
            Placeholders.fill(statement, 2, ids);
            return statement.executeUpdate();
        }
    }

    private static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
