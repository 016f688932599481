package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.StrategyChanged;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A row is changed past all guards, and a listener is notified. */
public final class InventoryAlerts {
    private InventoryAlerts() {}

    public static void main(String[] args) throws SQLException, InterruptedException {
        DataSource dataSource = ShopDatabase.withTables(args);
        CountDownLatch heard = new CountDownLatch(1);
        try (Inventory inventory = Inventory.on(dataSource)) {
            Locks.Subscription subscription = listen(inventory, heard);
            inventory.receive(line("SHIRT-001", "TOKYO", 10), "delivery-7");
            Sql.run(
                    dataSource,
                    "ALTER TABLE inventory_location DROP CONSTRAINT inventory_location_allocated",
                    "UPDATE inventory_location SET allocated_qty = 12");
            inventory.stock("SHIRT-001");
            System.out.println(heard.await(60, TimeUnit.SECONDS) ? "heard of it" : "heard nothing");
            System.out.println(inventory.figures().alerts());
            subscription.close();
        }
    }

    private static Locks.Subscription listen(Inventory inventory, CountDownLatch heard) {
        // tag::inventory-alerts
        Locks.Subscription subscription = inventory.subscribe(event -> {
            if (event instanceof Alert alert) {
                page(alert.message(), heard); // what is wrong, where, and what to do
            } else if (event instanceof StrategyChanged changed) {
                System.out.println(changed.key() + " is now " + changed.to() + ": " + changed.why());
            }
        });
        // end::inventory-alerts
        return subscription;
    }

    private static void page(String text, CountDownLatch heard) {
        System.out.println(text);
        if (text.startsWith("Negative stock")) {
            heard.countDown();
        }
    }
}
