package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.ReconciliationReport;
import dev.lockstep.inventory.Remedy;
import dev.lockstep.inventory.RetentionReport;
import dev.lockstep.inventory.StockKey;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;

/** Stock that was changed by hand is found and repaired. */
public final class ReconcileAndRepair {
    private static final StockKey SHIRTS = new StockKey("SHIRT-001", "TOKYO");

    private ReconcileAndRepair() {}

    public static void main(String[] args) throws SQLException {
        DataSource dataSource = ShopDatabase.withTables(args);
        try (Inventory inventory = Inventory.on(dataSource)) {
            inventory.receive(line("SHIRT-001", "TOKYO", 10), "delivery-7");
            Sql.run(dataSource, "UPDATE inventory_location SET physical_qty = 15");
            System.out.println(reconcile(inventory).discrepancies() + " found");
            System.out.println(repair(inventory).message(Locale.ENGLISH));
            System.out.println(reconcile(inventory).isClean() ? "all fits" : "still wrong");
            System.out.println(retain(inventory).ledgerLines() + " lines are older than a year");
        }
    }

    private static ReconciliationReport reconcile(Inventory inventory) {
        // tag::inventory-reconcile
        ReconciliationReport report = inventory.reconcile(found -> {
            System.out.println(found.what());
            System.out.println(found.advice());
        });
        // end::inventory-reconcile
        return report;
    }

    private static Outcome repair(Inventory inventory) {
        // tag::inventory-repair
        Outcome outcome = inventory.repair(SHIRTS, Remedy.FROM_LEDGER, "changed by hand, ticket 4711", "repair-4711");
        // end::inventory-repair
        return outcome;
    }

    private static RetentionReport retain(Inventory inventory) {
        // tag::inventory-retain
        RetentionReport report =
                inventory.retain(progress -> System.out.println(progress.ledgerLines() + " lines deleted"));
        // end::inventory-retain
        return report;
    }
}
