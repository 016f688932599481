package dev.lockstep.inventory;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** All that the tables of an inventory hold, row by row. */
record TableRows(List<Stock> stocks, List<LedgerRow> ledger, List<HoldRow> holds) {
    /** A row of {@code inventory_transaction}. */
    record LedgerRow(
            String requestId, int line, String hash, EntryType type, Change change, String reservationId, String note) {
        StockKey key() {
            return change.key();
        }

        long sequence() {
            return change.after().version();
        }
    }

    /** A row of {@code inventory_reservation}. */
    record HoldRow(String id, StockLine line, HoldState state, LocalDateTime expiresAt, LocalDateTime endedAt) {}

    @FunctionalInterface
    private interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    static TableRows of(TestShop shop) throws SQLException {
        return of(shop.dataSource());
    }

    static TableRows of(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            return new TableRows(
                    rows(
                            statement,
                            "SELECT sku, location, physical_qty, allocated_qty, version FROM inventory_location"
                                    + " ORDER BY sku, location",
                            TableRows::stock),
                    rows(
                            statement,
                            "SELECT * FROM inventory_transaction ORDER BY sku, location, sequence",
                            TableRows::ledgerRow),
                    rows(
                            statement,
                            "SELECT reservation_id, sku, location, quantity, state, expires_at, ended_at"
                                    + " FROM inventory_reservation ORDER BY reservation_id, sku, location",
                            TableRows::holdRow));
        }
    }

    private static <T> List<T> rows(Statement statement, String sql, RowReader<T> reader) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            List<T> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(reader.read(result));
            }
            return rows;
        }
    }

    private static Stock stock(ResultSet row) throws SQLException {
        return new Stock(
                new StockKey(row.getString(1), row.getString(2)), row.getLong(3), row.getLong(4), row.getLong(5));
    }

    private static LedgerRow ledgerRow(ResultSet row) throws SQLException {
        Stock after = new Stock(
                new StockKey(row.getString("sku"), row.getString("location")),
                row.getLong("physical_after"),
                row.getLong("allocated_after"),
                row.getLong("sequence"));
        return new LedgerRow(
                row.getString("request_id"),
                row.getInt("request_line"),
                row.getString("payload_hash"),
                EntryType.valueOf(row.getString("type")),
                new Change(row.getLong("physical_change"), row.getLong("allocated_change"), after),
                row.getString("reservation_id"),
                row.getString("note"));
    }

    private static HoldRow holdRow(ResultSet row) throws SQLException {
        return new HoldRow(
                row.getString(1),
                StockLine.line(row.getString(2), row.getString(3), row.getLong(4)),
                HoldState.valueOf(row.getString(5)),
                row.getObject(6, LocalDateTime.class),
                row.getObject(7, LocalDateTime.class));
    }

    /** The ledger of one stock, oldest first. */
    List<LedgerRow> ledger(StockKey key) {
        return ledger.stream().filter(row -> row.key().equals(key)).toList();
    }

    /** What the ledger has of one request, in the order of its lines. */
    List<LedgerRow> ledger(String requestId) {
        return ledger.stream()
                .filter(row -> row.requestId().equals(requestId))
                .sorted((one, other) -> Integer.compare(one.line(), other.line()))
                .toList();
    }

    /** The lines of one reservation. */
    List<HoldRow> hold(String id) {
        return holds.stream().filter(row -> row.id().equals(id)).toList();
    }
}
