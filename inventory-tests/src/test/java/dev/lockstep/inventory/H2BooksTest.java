package dev.lockstep.inventory;

class H2BooksTest extends BooksOfShop {
    @Override
    TestShop openShop() {
        return TestShop.onH2();
    }
}
