package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventorySchema;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Reserved;
import java.util.Locale;
import javax.sql.DataSource;

/** Stock comes in, is reserved and shipped. */
public final class InventoryQuickStart {
    private InventoryQuickStart() {}

    public static void main(String[] args) {
        DataSource dataSource = ShopDatabase.of(args);
        // tag::inventory-quick-start
        InventorySchema.on(dataSource).apply(); // creates the tables that are missing
        Inventory inventory = Inventory.on(dataSource);
        inventory.receive(line("SHIRT-001", "TOKYO", 10), "delivery-7");

        Outcome outcome = inventory.reserve(line("SHIRT-001", "TOKYO", 2), "order-1");
        if (outcome instanceof Reserved reserved) {
            inventory.ship(reserved.id(), "shipment-1"); // or cancel it
        } else {
            System.out.println(outcome.message(Locale.JAPANESE)); // sold out, busy, ...
        }
        // end::inventory-quick-start
        System.out.println(outcome.message(Locale.ENGLISH));
        // The same request again, as a nervous customer or a retry sends it: nothing more is reserved.
        System.out.println(
                inventory.reserve(line("SHIRT-001", "TOKYO", 2), "order-1").equals(outcome));
        System.out.println(inventory.stock("SHIRT-001"));
        inventory.close();
    }
}
