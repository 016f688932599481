package dev.lockstep.inventory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** The books of a shop on one database, which a subclass names. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BooksOfShop
        implements ReconcileContract,
                RepairContract,
                RetentionContract,
                PartsContract,
                LedgerContract,
                ChangesContract,
                SafetyContract,
                ClockContract {
    private TestShop shop;
    private Inventory inventory;

    abstract TestShop openShop() throws SQLException;

    @BeforeAll
    void openUp() throws SQLException {
        shop = openShop();
        for (String guard : List.of("inventory_location_allocated", "inventory_location_physical")) {
            shop.sql("ALTER TABLE inventory_location DROP CONSTRAINT " + guard);
        }
    }

    @BeforeEach
    void begin() {
        inventory = shop.inventory().sweepEvery(Duration.ZERO).build();
    }

    @AfterEach
    void end() throws SQLException {
        inventory.close();
        shop.clear();
    }

    @AfterAll
    void closeDown() throws SQLException {
        shop.close();
    }

    @Override
    public TestShop shop() {
        return shop;
    }

    @Override
    public Inventory inventory() {
        return inventory;
    }
}
