package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Discrepancy.StockFault;
import dev.lockstep.inventory.Discrepancy.StockFault.Kind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** What the tests of the books work with: a shop whose tables are empty and have no guards, so that a test can spoil them. */
@Timeout(300)
interface BackOffice {
    StockKey SHIRT = new StockKey("SHIRT-001", "TOKYO");
    StockKey HAT = new StockKey("HAT-001", "TOKYO");

    TestShop shop();

    Inventory inventory();

    default void receive(StockKey key, long quantity, String id) {
        assertThat(inventory().receive(new StockLine(key, quantity), id)).isInstanceOf(Outcome.Received.class);
    }

    default void reserve(StockKey key, long quantity, String id) {
        assertThat(inventory().reserve(new StockLine(key, quantity), id)).isInstanceOf(Outcome.Reserved.class);
    }

    default void spoil(String sql) {
        try {
            shop().sql(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes everything so far two years old. */
    default void letTwoYearsPass() {
        spoil("UPDATE inventory_transaction SET created_at = created_at - INTERVAL '731' DAY");
        spoil("UPDATE inventory_reservation SET created_at = created_at - INTERVAL '731' DAY,"
                + " ended_at = ended_at - INTERVAL '731' DAY");
    }

    default List<Discrepancy> reconciled() {
        List<Discrepancy> found = new ArrayList<>();
        ReconciliationReport report = inventory().reconcile(found::add);
        assertThat(report.discrepancies()).isEqualTo(found.size());
        return found;
    }

    default List<Kind> faults() {
        return reconciled().stream().map(found -> ((StockFault) found).kind()).toList();
    }

    default void assertClean() {
        assertThat(reconciled()).isEmpty();
    }
}
