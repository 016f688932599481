package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryLimits;
import dev.lockstep.inventory.StrategyView;
import java.time.Duration;
import javax.sql.DataSource;

/** Which strategy each stock has, and how to choose. */
public final class InventoryStrategies {
    private InventoryStrategies() {}

    public static void main(String[] args) {
        DataSource dataSource = ShopDatabase.withTables(args);
        try (Inventory inventory = adaptive(dataSource)) {
            inventory.receive(line("SHIRT-001", "TOKYO", 10), "delivery-7");
            inventory.reserve(line("SHIRT-001", "TOKYO", 1), "order-1");
            show(inventory);
        }
        try (Locks locks = Locks.inMemory();
                Inventory inventory = locked(dataSource, locks)) {
            inventory.reserve(line("SHIRT-001", "TOKYO", 1), "order-2");
            show(inventory);
        }
    }

    private static Inventory adaptive(DataSource dataSource) {
        // tag::inventory-options
        Inventory inventory = Inventory.builder(dataSource)
                .patience(Duration.ofSeconds(2)) // for a customer who waits for the page
                .workers(16)
                .limits(InventoryLimits.DEFAULT.inFlight(2_000))
                .build();
        // end::inventory-options
        return inventory;
    }

    private static Inventory locked(DataSource dataSource, Locks locks) {
        // tag::inventory-locked
        Inventory inventory = Inventory.builder(dataSource).lockedBy(locks).build();
        // end::inventory-locked
        return inventory;
    }

    private static void show(Inventory inventory) {
        // tag::inventory-strategies
        for (StrategyView view : inventory.strategies()) {
            System.out.println(view.key() + ": " + view.strategy() + " because " + view.why());
        }
        // end::inventory-strategies
    }
}
