package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.EntryType;
import dev.lockstep.inventory.LedgerEntry;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Reads lines of one stock's ledger. */
public final class LedgerQuery {
    private static final String LINES = """
            SELECT type, physical_change, allocated_change, physical_after, allocated_after, sequence,
                   request_id, reservation_id, note, created_at
            FROM inventory_transaction
            WHERE sku = ? AND location = ? AND sequence > ?
            ORDER BY sequence
            """;
    private static final String BACKWARDS = LINES + "DESC";

    private LedgerQuery() {}

    /** The lines after the one of this number, at most this many. */
    public static List<LedgerEntry> after(Connection connection, StockKey key, long number, int most)
            throws SQLException {
        return lines(connection, LINES, key, number, most);
    }

    /** The last lines, at most this many. */
    public static List<LedgerEntry> last(Connection connection, StockKey key, int most) throws SQLException {
        List<LedgerEntry> lines = lines(connection, BACKWARDS, key, Long.MIN_VALUE, most);
        Collections.reverse(lines);
        return lines;
    }

    private static List<LedgerEntry> lines(Connection connection, String sql, StockKey key, long number, int most)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setMaxRows(most);
            statement.setString(1, key.sku());
            statement.setString(2, key.location());
            statement.setLong(3, number);
            try (ResultSet result = statement.executeQuery()) {
                List<LedgerEntry> lines = new ArrayList<>();
                while (result.next()) {
                    lines.add(line(key, result));
                }
                return lines;
            }
        }
    }

    /** Reads the columns of a line, in this order. */
    static LedgerEntry line(StockKey key, ResultSet result) throws SQLException {
        Stock after = new Stock(key, result.getLong(4), result.getLong(5), result.getLong(6));
        return new LedgerEntry(
                EntryType.valueOf(result.getString(1)),
                new Change(result.getLong(2), result.getLong(3), after),
                result.getString(7),
                Optional.ofNullable(result.getString(8)),
                Optional.ofNullable(result.getString(9)),
                result.getObject(10, LocalDateTime.class).toInstant(ZoneOffset.UTC));
    }
}
