package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What the parts of the contract have to work with: a shop that is shared by all tests, and names that only one of them uses. */
interface ShopStage {
    String TOKYO = "TOKYO";
    AtomicLong NUMBERS = new AtomicLong();

    TestShop shop();

    Inventory inventory();

    Strategy strategy();

    /** An inventory of this strategy with other options, for the test to close. */
    InventoryBuilder builder();

    /** Writes a stock row as it was before this ledger began. */
    void open(Stock stock) throws SQLException;

    default String id() {
        return "r" + NUMBERS.incrementAndGet();
    }

    default StockKey freshKey() {
        return new StockKey("SKU-" + NUMBERS.incrementAndGet(), TOKYO);
    }

    /** A new stock of so many, at version 1. */
    default StockKey stocked(long quantity) {
        StockKey key = freshKey();
        assertThat(inventory().receive(of(key, quantity), id())).isInstanceOf(Received.class);
        return key;
    }

    /** A reservation of so many. */
    default Reserved reserved(StockKey key, long quantity) {
        return assertIs(Reserved.class, inventory().reserve(of(key, quantity), id()));
    }

    default StockLine of(StockKey key, long quantity) {
        return new StockLine(key, quantity);
    }

    default TableRows books() {
        try {
            return TableRows.of(shop());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Counts and sums that no change of any table leaves as they are, quicker to read than all rows. */
    default List<Long> traces() {
        try {
            return List.of(
                    shop().number("SELECT COUNT(*) FROM inventory_location"),
                    shop().number("SELECT SUM(version) FROM inventory_location"),
                    shop().number("SELECT SUM(physical_qty + 3 * allocated_qty) FROM inventory_location"),
                    shop().number("SELECT COUNT(*) FROM inventory_transaction"),
                    shop().number("SELECT COUNT(*) FROM inventory_reservation"),
                    shop().number("SELECT COUNT(*) FROM inventory_reservation WHERE state = 'HELD'"));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    default <T extends Outcome> T assertIs(Class<T> type, Outcome outcome) {
        assertThat(outcome).isInstanceOf(type);
        return type.cast(outcome);
    }

    default void assertStock(StockKey key, long physical, long allocated, long version) {
        assertThat(inventory().stock(key)).contains(new Stock(key, physical, allocated, version));
    }

    /** That a command is refused with this reason and text, and changes nothing. */
    default void assertRefused(Command command, Rejection why, String detail) {
        assertNothingChanges(() -> assertAnswer(command, why, detail));
    }

    /** That a command is refused with this reason and text. */
    default void assertAnswer(Command command, Rejection why, String detail) {
        Rejected expected = new Rejected(command.requestId(), why, detail);
        assertThat(inventory().execute(command)).isEqualTo(expected);
        assertThat(inventory().submit(command).join()).isEqualTo(expected);
    }

    default void assertNothingChanges(Runnable commands) {
        List<Long> before = traces();
        commands.run();
        assertThat(traces()).isEqualTo(before);
    }

    /** That a command is answered as it was before, and changes nothing. */
    default void assertReplayed(Command command, Accepted first) {
        assertNothingChanges(() -> {
            assertThat(inventory().execute(command)).isEqualTo(first);
            assertThat(inventory().submit(command).join()).isEqualTo(first);
            assertThat(inventory().outcomeOf(command)).contains(first);
        });
    }
}
