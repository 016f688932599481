package dev.lockstep.benchmarks.inventory;

import dev.lockstep.inventory.StockKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import javax.sql.DataSource;

/**
 * What a careful shop writes by hand: an UPDATE that only takes what is there, and the rows of the ledger and of the reservation in the
 * same transaction. The ledger's row reads the new balance itself, which saves a round trip.
 */
final class GuardedUpdate implements Seller {
    private static final String ALLOCATE = """
            UPDATE inventory_location
            SET allocated_qty = allocated_qty + ?, version = version + 1, updated_at = ?
            WHERE sku = ? AND location = ? AND physical_qty - allocated_qty >= ?
            """;
    private static final String WRITE_DOWN = """
            INSERT INTO inventory_transaction (sku, location, sequence, request_id, request_line, payload_hash, type,
              physical_change, allocated_change, physical_after, allocated_after, reservation_id, note, created_at)
            SELECT sku, location, version, ?, ?, '00000000000000000000000000000000', 'RESERVE',
              0, ?, physical_qty, allocated_qty, ?, NULL, updated_at
            FROM inventory_location
            WHERE sku = ? AND location = ?
            """;
    private static final String HOLD = """
            INSERT INTO inventory_reservation (reservation_id, sku, location, quantity, state, expires_at, created_at)
            VALUES (?, ?, ?, ?, 'HELD', NULL, ?)
            """;
    private static final long QUANTITY = 1;

    private final DataSource pool;

    GuardedUpdate(DataSource pool) {
        this.pool = pool;
    }

    @Override
    public Answer reserve(List<StockKey> keys, String requestId) throws SQLException {
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        try (Connection connection = pool.getConnection()) {
            int line = 0;
            for (StockKey key : sorted(keys)) { // in one order, so that orders that cross don't deadlock
                reserve(connection, key, requestId, line++, now);
            }
            connection.commit();
            return Answer.RESERVED;
        }
    }

    private static List<StockKey> sorted(List<StockKey> keys) {
        return keys.stream()
                .sorted(Comparator.comparing(StockKey::sku).thenComparing(StockKey::location))
                .toList();
    }

    private static void reserve(Connection connection, StockKey key, String requestId, int line, LocalDateTime now)
            throws SQLException {
        if (run(connection, ALLOCATE, QUANTITY, now, key.sku(), key.location(), QUANTITY) != 1) {
            throw new IllegalStateException(key + " is sold out");
        }
        run(connection, WRITE_DOWN, requestId, line, QUANTITY, requestId, key.sku(), key.location());
        run(connection, HOLD, requestId, key.sku(), key.location(), QUANTITY, now);
    }

    private static int run(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    @Override
    public void close() {}
}
