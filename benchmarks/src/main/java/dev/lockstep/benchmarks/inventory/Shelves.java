package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.StockKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import javax.sql.DataSource;

/** Fills the tables with new stock, many rows at once. */
final class Shelves {
    private static final long PLENTY = 1_000_000_000;
    private static final int ROWS_AT_ONCE = 500;
    private static final String STOCK =
            "INSERT INTO inventory_location (sku, location, physical_qty, allocated_qty, version, updated_at) VALUES ";
    private static final String STOCK_ROW = "(?, ?, " + PLENTY + ", 0, 1, ?)";
    private static final String LEDGER = "INSERT INTO inventory_transaction (sku, location, created_at, request_id,"
            + " sequence, request_line, payload_hash, type, physical_change, allocated_change, physical_after,"
            + " allocated_after) VALUES ";
    private static final String LEDGER_ROW = "(?, ?, ?, ?, 1, 0, '-', 'RECEIVE', " + PLENTY + ", 0, " + PLENTY + ", 0)";

    private final DataSource pool;

    Shelves(DataSource pool) {
        this.pool = pool;
    }

    void fill(List<StockKey> keys) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            empty(connection);
            for (int i = 0; i < keys.size(); i += ROWS_AT_ONCE) {
                List<StockKey> some = keys.subList(i, Math.min(keys.size(), i + ROWS_AT_ONCE));
                insert(connection, STOCK, STOCK_ROW, some, false);
                insert(connection, LEDGER, LEDGER_ROW, some, true);
            }
            connection.commit();
        }
    }

    private static void empty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : List.of("inventory_reservation", "inventory_transaction", "inventory_location")) {
                statement.execute("TRUNCATE TABLE " + table);
            }
        }
    }

    private static void insert(
            Connection connection, String insert, String row, List<StockKey> keys, boolean withRequest)
            throws SQLException {
        String sql = insert + (row + ", ").repeat(keys.size() - 1) + row;
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int at = 1;
            for (StockKey key : keys) {
                statement.setString(at++, key.sku());
                statement.setString(at++, key.location());
                statement.setObject(at++, now);
                if (withRequest) {
                    statement.setString(at++, "received " + key);
                }
            }
            statement.executeUpdate();
        }
    }
}
