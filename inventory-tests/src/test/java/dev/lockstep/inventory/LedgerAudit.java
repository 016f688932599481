package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.TableRows.LedgerRow;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/** Looks into the tables past the inventory. */
record LedgerAudit(DataSource dataSource) {
    /** Each stock is what its ledger and its reservations say. */
    void booksBalance() throws SQLException {
        BooksCheck.verify(TableRows.of(dataSource), Map.of());
    }

    /** The sequence of each reservation of a stock, by its request id. */
    Map<String, Long> reservations(StockKey key) throws SQLException {
        Map<String, Long> found = new HashMap<>();
        for (LedgerRow row : TableRows.of(dataSource).ledger()) {
            if (row.type() == EntryType.RESERVE && row.key().equals(key)) {
                assertThat(found.put(row.requestId(), row.change().after().version()))
                        .as("reserved before: " + row.requestId())
                        .isNull();
            }
        }
        return found;
    }
}
