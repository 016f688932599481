package dev.lockstep.examples;

import dev.lockstep.inventory.InventorySchema;
import java.util.UUID;
import javax.sql.DataSource;

/** Where the examples of the inventory keep their stock: in the database they are called with, or else in memory. */
final class ShopDatabase {
    private ShopDatabase() {}

    static DataSource of(String... args) {
        return new DriverSource(args.length == 0 ? inMemory() : args[0]);
    }

    static DataSource withTables(String... args) {
        DataSource dataSource = of(args);
        InventorySchema.on(dataSource).apply();
        return dataSource;
    }

    /** Without a pool no one keeps a connection open, and an H2 without connections would forget everything. */
    private static String inMemory() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }
}
