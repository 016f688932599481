package dev.lockstep.inventory;

/** The contract on H2, which needs no server. */
class H2InventoryTest extends InventoryContract {
    @Override
    TestShop openShop() {
        return TestShop.onH2();
    }
}
