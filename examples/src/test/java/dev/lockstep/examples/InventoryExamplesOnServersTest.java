package dev.lockstep.examples;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the examples of the inventory on real databases. They say the same there. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Isolated("what examples print is read from System.out")
class InventoryExamplesOnServersTest {
    @FunctionalInterface
    private interface Check {
        void on(String url) throws Exception;
    }

    private static void check(ServerKind kind, Check check) throws Exception {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase()) {
            check.on(DatabaseExamplesTest.url(database));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void quickStart(ServerKind kind) throws Exception {
        check(kind, InventoryExamplesTest::quickStart);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void flashSale(ServerKind kind) throws Exception {
        check(kind, InventoryExamplesTest::flashSale);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void checkout(ServerKind kind) throws Exception {
        check(kind, InventoryExamplesTest::checkout);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void asyncInventory(ServerKind kind) throws Exception {
        check(kind, InventoryExamplesTest::asyncInventory);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void afterARestart(ServerKind kind) throws Exception {
        check(kind, InventoryExamplesTest::afterARestart);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void inventoryAlerts(ServerKind kind) throws Exception {
        check(kind, InventoryExamplesTest::inventoryAlerts);
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void reconcileAndRepair(ServerKind kind) throws Exception {
        check(kind, InventoryExamplesTest::reconcileAndRepair);
    }
}
