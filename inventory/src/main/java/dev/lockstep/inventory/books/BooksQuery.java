package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads rows, ledgers and reservations of some stock as they are at one moment. It is one statement, and each database shows a
 * statement one state of all tables; so sales that continue meanwhile never look like a fault.
 */
public final class BooksQuery {
    private static final int ROW = 1;
    private static final int LEDGER = 2;

    private static final String ALL = """
            SELECT 1, sku, location, physical_qty, allocated_qty, version, 0, 0, 0, 0, 0
            FROM inventory_location
            WHERE %1$s
            UNION ALL
            SELECT 2, sums.sku, sums.location, latest.physical_after, latest.allocated_after, sums.last_line,
                   sums.line_count, sums.base_line, sums.since_base, sums.physical_sum, sums.allocated_sum
            FROM (
                SELECT sku, location, MAX(sequence) AS last_line, COUNT(*) AS line_count,
                       COALESCE(MAX(base), 1) AS base_line,
                       COUNT(CASE WHEN sequence >= COALESCE(base, 1) THEN 1 END) AS since_base,
                       SUM(physical_change) AS physical_sum, SUM(allocated_change) AS allocated_sum
                FROM (
                    SELECT sku, location, sequence, physical_change, allocated_change,
                           MAX(CASE WHEN type IN ('REPAIR', 'CHECKPOINT') THEN sequence END)
                               OVER (PARTITION BY sku, location) AS base
                    FROM inventory_transaction
                    WHERE %1$s AND sequence > ?
                ) changes
                GROUP BY sku, location
            ) sums
            JOIN inventory_transaction latest
              ON latest.sku = sums.sku AND latest.location = sums.location AND latest.sequence = sums.last_line
            UNION ALL
            SELECT 3, sku, location, 0, SUM(quantity), 0, 0, 0, 0, 0, 0
            FROM inventory_reservation
            WHERE state = 'HELD' AND %1$s
            GROUP BY sku, location
            """;
    private static final String PAGE_END = """
            SELECT sku, location
            FROM (
                (SELECT sku, location FROM inventory_location WHERE %1$s ORDER BY sku, location LIMIT %2$d)
                UNION
                (SELECT DISTINCT sku, location FROM inventory_transaction WHERE %1$s ORDER BY sku, location LIMIT %2$d)
            ) page
            ORDER BY sku, location
            LIMIT 1 OFFSET %3$d
            """;

    private BooksQuery() {}

    /** The last of this number of stocks after the given one; nothing when there are fewer. */
    public static Optional<StockKey> pageEnd(Connection connection, StockKey from, int size) throws SQLException {
        KeyRange range = KeyRange.after(from);
        String sql = PAGE_END.formatted(range.condition(), size, size - 1);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            range.fill(statement, range.fill(statement, 1));
            try (ResultSet result = statement.executeQuery()) {
                return result.next()
                        ? Optional.of(new StockKey(result.getString(1), result.getString(2)))
                        : Optional.empty();
            }
        }
    }

    /** The books of the commands that are repairs. What was read before the row was locked is not read again. */
    static Map<StockKey, Books> ofRepairs(Connection connection, List<PendingCommand> works) throws SQLException {
        Map<StockKey, Books> books = new HashMap<>();
        for (PendingCommand work : works) {
            if (work.command() instanceof Repair repair) {
                Ledger known = work.ledger().orElseGet(() -> Ledger.none(repair.key()));
                Books since = of(connection, repair.key(), known.last().version());
                books.put(repair.key(), since.withLedger(known.plus(since.ledger())));
            }
        }
        return books;
    }

    public static Books of(Connection connection, StockKey key) throws SQLException {
        return of(connection, key, 0);
    }

    private static Books of(Connection connection, StockKey key, long after) throws SQLException {
        Collection<Books> books = of(connection, KeyRange.only(key), after);
        return books.isEmpty() ? Books.none(key) : books.iterator().next();
    }

    public static Collection<Books> of(Connection connection, KeyRange range) throws SQLException {
        return of(connection, range, 0);
    }

    /** With only those lines of the ledgers that have a higher number than the given one. */
    private static Collection<Books> of(Connection connection, KeyRange range, long after) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ALL.formatted(range.condition()))) {
            int at = range.fill(statement, range.fill(statement, 1));
            statement.setLong(at, after);
            range.fill(statement, at + 1);
            try (ResultSet result = statement.executeQuery()) {
                Map<StockKey, Books> books = new LinkedHashMap<>();
                while (result.next()) {
                    StockKey key = new StockKey(result.getString(2), result.getString(3));
                    books.put(key, add(books.getOrDefault(key, Books.none(key)), result));
                }
                return books.values();
            }
        }
    }

    private static Books add(Books books, ResultSet result) throws SQLException {
        Stock stock = new Stock(books.key(), result.getLong(4), result.getLong(5), result.getLong(6));
        return switch (result.getInt(1)) {
            case ROW -> books.withRow(stock);
            case LEDGER -> books.withLedger(ledger(stock, result));
            default -> books.withHeld(stock.allocated());
        };
    }

    private static Ledger ledger(Stock last, ResultSet result) throws SQLException {
        return new Ledger(
                result.getLong(7), result.getLong(8), result.getLong(9), result.getLong(10), result.getLong(11), last);
    }
}
