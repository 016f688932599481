package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Outcome.Adjusted;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import dev.lockstep.inventory.TableRows.LedgerRow;
import dev.lockstep.inventory.books.StockRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each operation on one stock: numbers, versions and the ledger. */
interface StockContract extends ShopStage {
    @Test
    default void whatIsReceivedCanBeSold() {
        StockKey key = freshKey();
        assertThat(inventory().stock(key)).isEmpty();

        Outcome outcome = inventory().receive(of(key, 7), "receive-" + key.sku());

        Stock after = new Stock(key, 7, 0, 1);
        assertThat(outcome).isEqualTo(new Received("receive-" + key.sku(), List.of(new Change(7, 0, after))));
        assertThat(inventory().stock(key)).contains(after);
        assertThat(after.available()).isEqualTo(7);
    }

    @Test
    default void aReservationSetsStockAside() {
        StockKey key = stocked(7);
        String id = id();

        Outcome outcome = inventory().reserve(of(key, 2), id);

        Change change = new Change(0, 2, new Stock(key, 7, 2, 2));
        assertThat(outcome).isEqualTo(new Reserved(id, List.of(change), Optional.empty()));
        assertStock(key, 7, 2, 2);
    }

    @Test
    default void aCancelledReservationGivesItsStockBack() {
        StockKey key = stocked(7);
        Reserved hold = reserved(key, 2);
        String id = id();

        Outcome outcome = inventory().cancel(hold.id(), id);

        Change change = new Change(0, -2, new Stock(key, 7, 0, 3));
        assertThat(outcome).isEqualTo(new Cancelled(id, hold.id(), List.of(change)));
        assertStock(key, 7, 0, 3);
    }

    @Test
    default void aShippedReservationLeavesTheShelf() {
        StockKey key = stocked(7);
        Reserved hold = reserved(key, 2);
        String id = id();

        Outcome outcome = inventory().ship(hold.id(), id);

        Change change = new Change(-2, -2, new Stock(key, 5, 0, 3));
        assertThat(outcome).isEqualTo(new Shipped(id, hold.id(), List.of(change)));
        assertStock(key, 5, 0, 3);
    }

    @Test
    default void aReservationIsFoundByItsIdWithItsLinesAndWhatBecameOfIt() {
        StockKey key = stocked(7);
        StockKey osaka = new StockKey(key.sku(), "OSAKA");
        inventory().receive(of(osaka, 3), id());
        Order order = Order.of(of(key, 2), of(osaka, 1)).heldFor(Duration.ofHours(1));
        Reserved hold = assertIs(Reserved.class, inventory().reserve(order, id()));
        List<StockLine> lines = List.of(of(osaka, 1), of(key, 2));

        assertThat(inventory().reservation(hold.id()))
                .contains(new Reservation(hold.id(), lines, HoldState.HELD, hold.expiresAt()));
        inventory().ship(hold.id(), id());
        assertThat(inventory().reservation(hold.id()).map(Reservation::state)).contains(HoldState.SHIPPED);
        assertThat(inventory().reservation("never-heard-of")).isEmpty();
    }

    @Test
    default void aQuestionAboutWhatNothingCanBeCalledIsRefused() {
        for (String name : List.of("", " a", "a\0b", "x".repeat(121))) {
            assertThatThrownBy(() -> inventory().reservation(name)).isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> inventory().stock(name)).isInstanceOf(InvalidRequestException.class);
        }
    }

    @Test
    default void aCorrectionMayGoUpAndDown() {
        StockKey key = stocked(7);
        String up = id();
        String down = id();

        assertThat(inventory().adjust(of(key, 3), "found behind the shelf", up))
                .isEqualTo(new Adjusted(up, List.of(new Change(3, 0, new Stock(key, 10, 0, 2)))));
        assertThat(inventory().adjust(of(key, -10), "water damage", down))
                .isEqualTo(new Adjusted(down, List.of(new Change(-10, 0, new Stock(key, 0, 0, 3)))));

        assertThat(books().ledger(key))
                .extracting(LedgerRow::note)
                .containsExactly(null, "found behind the shelf", "water damage");
    }

    @Test
    default void aCorrectionTakesNothingThatIsReserved() {
        StockKey key = stocked(7);
        reserved(key, 5);
        TableRows before = books();
        String id = id();

        assertThat(inventory().adjust(of(key, -3), "lost", id))
                .isEqualTo(new OutOfStock(id, List.of(new Shortage(key, 3, 2))));
        assertThat(books()).isEqualTo(before);
    }

    @Test
    default void whatIsNotThereIsNotReserved() {
        StockKey key = stocked(7);
        reserved(key, 5);
        TableRows before = books();
        String id = id();

        assertThat(inventory().reserve(of(key, 3), id)).isEqualTo(new OutOfStock(id, List.of(new Shortage(key, 3, 2))));
        assertThat(books()).isEqualTo(before);
        reserved(key, 2);
    }

    @Test
    default void theLedgerHasALineForEachChangeWithTheVersionAsItsNumber() {
        StockKey key = freshKey();
        String sku = key.sku();
        inventory().execute(new Receive(List.of(of(key, 10)), sku + "a"));
        inventory().execute(new Reserve(Order.of(of(key, 4)), sku + "b"));
        inventory().execute(new Reserve(Order.of(of(key, 1)), sku + "c"));
        inventory().execute(new Ship(sku + "b", sku + "d"));
        inventory().execute(new Cancel(sku + "c", sku + "e"));
        inventory().execute(new Adjust(of(key, -1), "lost", sku + "f"));

        List<LedgerRow> ledger = books().ledger(key);
        assertThat(ledger)
                .extracting(LedgerRow::type)
                .containsExactly(
                        EntryType.RECEIVE,
                        EntryType.RESERVE,
                        EntryType.RESERVE,
                        EntryType.SHIP,
                        EntryType.CANCEL,
                        EntryType.ADJUST);
        assertThat(ledger)
                .extracting(row -> row.change().after())
                .containsExactly(
                        new Stock(key, 10, 0, 1),
                        new Stock(key, 10, 4, 2),
                        new Stock(key, 10, 5, 3),
                        new Stock(key, 6, 1, 4),
                        new Stock(key, 6, 0, 5),
                        new Stock(key, 5, 0, 6));
        assertThat(ledger)
                .extracting(LedgerRow::reservationId)
                .containsExactly(null, sku + "b", sku + "c", sku + "b", sku + "c", null);
        assertStock(key, 5, 0, 6);
    }

    @Test
    default void theSameSkuLiesAtSeveralLocations() {
        StockKey tokyo = stocked(7);
        StockKey osaka = new StockKey(tokyo.sku(), "OSAKA");
        inventory().receive(of(osaka, 3), id());

        assertThat(inventory().stock(tokyo.sku()))
                .containsExactly(new Stock(osaka, 3, 0, 1), new Stock(tokyo, 7, 0, 1));
        assertThat(inventory().stock("never-heard-of")).isEmpty();
        reserved(osaka, 3);
        assertStock(tokyo, 7, 0, 1);
    }

    @Test
    default void soMuchFitsAndNoMore() {
        StockKey key = stocked(StockRow.MOST);

        assertRefused(
                new Receive(List.of(of(key, 1)), id()),
                Rejection.INVALID_QUANTITY,
                "With 1 of " + key + " there would be more than 1000000000000000.");
        assertRefused(
                new Adjust(of(key, 1), "found", id()),
                Rejection.INVALID_QUANTITY,
                "With 1 of " + key + " there would be more than 1000000000000000.");
        reserved(key, StockRow.MOST);
    }
}
