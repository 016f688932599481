package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import dev.lockstep.inventory.TableRows.LedgerRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Orders of several lines. */
interface OrderContract extends ShopStage {
    @Test
    default void anOrderSetsAllItsLinesAside() {
        StockKey one = stocked(5);
        StockKey two = stocked(5);
        String id = id();

        Reserved hold = assertIs(Reserved.class, inventory().reserve(Order.of(of(two, 2), of(one, 1)), id));

        assertThat(hold.changes())
                .containsExactlyInAnyOrder(
                        new Change(0, 1, new Stock(one, 5, 1, 2)), new Change(0, 2, new Stock(two, 5, 2, 2)));
        assertThat(books().ledger(id)).extracting(LedgerRow::line).containsExactly(0, 1);
        assertIs(Shipped.class, inventory().ship(id, id()));
        assertStock(one, 4, 0, 3);
        assertStock(two, 3, 0, 3);
    }

    @Test
    default void anOrderWithOneLineTooLargeSetsNothingAside() {
        StockKey enough = stocked(5);
        StockKey tooFew = stocked(1);
        StockKey none = stocked(1);
        reserved(none, 1);
        TableRows before = books();
        String id = id();

        OutOfStock out = assertIs(
                OutOfStock.class, inventory().reserve(Order.of(of(enough, 1), of(tooFew, 2), of(none, 1)), id));

        assertThat(out.shortages()).contains(new Shortage(none, 1, 0)).doesNotContain(new Shortage(enough, 1, 5));
        assertThat(books()).isEqualTo(before);
    }

    @Test
    default void anOrderWithAnUnknownLineSetsNothingAside() {
        StockKey known = stocked(5);
        StockKey unknown = freshKey();

        assertRefused(
                new Reserve(Order.of(of(known, 1), of(unknown, 1)), id()),
                Rejection.UNKNOWN_STOCK,
                "There never was any " + unknown + ". Receive it first, or check the spelling.");
    }

    @Test
    default void equalLinesCountAsOne() {
        StockKey key = stocked(5);
        String id = id();
        Order order = Order.of(of(key, 2), of(key, 1));

        Reserved hold = assertIs(Reserved.class, inventory().reserve(order, id));

        assertThat(hold.changes()).containsExactly(new Change(0, 3, new Stock(key, 5, 3, 2)));
        assertThat(books().hold(id)).hasSize(1);
        assertThat(inventory().reserve(order, id())).isInstanceOf(OutOfStock.class);
    }

    @Test
    default void aDeliveryOfSeveralLinesIsOneRequest() {
        StockKey old = stocked(1);
        StockKey fresh = freshKey();
        String id = id();

        Received received = assertIs(
                Received.class, inventory().execute(new Receive(List.of(of(old, 2), of(fresh, 3), of(fresh, 1)), id)));

        assertThat(received.changes())
                .containsExactlyInAnyOrder(
                        new Change(2, 0, new Stock(old, 3, 0, 2)), new Change(4, 0, new Stock(fresh, 4, 0, 1)));
    }

    @Test
    default void aCancelledOrderGivesAllItsLinesBack() {
        StockKey one = stocked(5);
        StockKey two = stocked(5);
        String id = id();
        inventory().reserve(Order.of(of(one, 5), of(two, 5)), id);

        assertIs(Cancelled.class, inventory().cancel(id, id()));

        assertStock(one, 5, 0, 3);
        assertStock(two, 5, 0, 3);
    }

    @Test
    default void anOrderMayHaveHundredsOfLines() {
        String sku = freshKey().sku();
        List<StockLine> lines = new ArrayList<>(IntStream.range(0, 300)
                .mapToObj(i -> StockLine.line(sku + "-" + i, TOKYO, 2))
                .toList());
        String id = id();
        inventory().execute(new Receive(lines, id()));
        Collections.reverse(lines);

        Reserved hold = assertIs(Reserved.class, inventory().reserve(Order.of(lines), id));
        assertThat(hold.changes()).hasSize(300);
        assertThat(books().hold(id)).hasSize(300);
        Shipped shipped = assertIs(Shipped.class, inventory().ship(id, id()));
        assertThat(shipped.changes()).allMatch(change -> change.after().physical() == 0);
    }

    @Test
    default void tenThousandLinesAreRefusedUnlessTheLimitIsRaised() {
        StockKey one = stocked(10_000);
        StockKey two = stocked(10_000);
        List<StockLine> lines = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            lines.add(of(one, 1));
            lines.add(of(two, 1));
        }

        assertRefused(
                new Reserve(Order.of(lines), id()),
                Rejection.INVALID_ORDER,
                "There are 10000 lines. Give 1 to 1000, or split the order.");

        try (Inventory generous =
                builder().limits(InventoryLimits.DEFAULT.lines(10_000)).build()) {
            assertIs(Reserved.class, generous.reserve(Order.of(lines), id()));
        }
        assertStock(one, 10_000, 5_000, 2);
        assertStock(two, 10_000, 5_000, 2);
    }
}
