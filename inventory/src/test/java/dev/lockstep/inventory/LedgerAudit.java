package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/** Looks into the tables past the inventory. */
final class LedgerAudit {
    private static final String BOOKS = """
            SELECT s.sku, s.physical_qty, s.allocated_qty, s.version, COUNT(*), MAX(t.sequence),
                   SUM(t.physical_change), SUM(t.allocated_change),
                   (SELECT COALESCE(SUM(r.quantity), 0) FROM inventory_reservation r
                    WHERE r.sku = s.sku AND r.location = s.location AND r.state = 'HELD')
            FROM inventory_location s JOIN inventory_transaction t ON t.sku = s.sku AND t.location = s.location
            GROUP BY s.sku, s.location, s.physical_qty, s.allocated_qty, s.version
            """;

    private final DataSource dataSource;

    LedgerAudit(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Each stock is the sum of its ledger, has as many versions as changes, and is reserved as far as reservations say. */
    void booksBalance() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(BOOKS)) {
            while (row.next()) {
                String sku = row.getString(1);
                assertThat(row.getLong(7)).as("physical of " + sku).isEqualTo(row.getLong(2));
                assertThat(row.getLong(8)).as("allocated of " + sku).isEqualTo(row.getLong(3));
                assertThat(row.getLong(9)).as("reservations of " + sku).isEqualTo(row.getLong(3));
                assertThat(row.getLong(5)).as("changes of " + sku).isEqualTo(row.getLong(4));
                assertThat(row.getLong(6)).as("last change of " + sku).isEqualTo(row.getLong(4));
                assertThat(row.getLong(2) - row.getLong(3))
                        .as("available of " + sku)
                        .isNotNegative();
            }
        }
    }

    /** The sequence of each reservation of a stock, by its request id. */
    Map<String, Long> reservations(StockKey key) throws SQLException {
        Map<String, Long> found = new HashMap<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT request_id, sequence FROM inventory_transaction"
                        + " WHERE type = 'RESERVE' AND sku = '" + key.sku() + "' AND location = '" + key.location()
                        + "'")) {
            while (row.next()) {
                assertThat(found.put(row.getString(1), row.getLong(2)))
                        .as("reserved before: " + row.getString(1))
                        .isNull();
            }
        }
        return found;
    }
}
