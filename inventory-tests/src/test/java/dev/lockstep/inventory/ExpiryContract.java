package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.Expired;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import dev.lockstep.inventory.TableRows.LedgerRow;
import dev.lockstep.inventory.engine.EngineAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Reservations whose time is over. The database's clock can't be moved, so their time is. */
interface ExpiryContract extends ShopStage {
    LocalDateTime LONG_AGO = LocalDateTime.of(2020, 2, 2, 2, 2, 2);

    private Reserved heldForAnHour(StockLine... lines) {
        return assertIs(Reserved.class, inventory().reserve(Order.of(lines).heldFor(Duration.ofHours(1)), id()));
    }

    private void letExpire(String reservationId) throws SQLException {
        shop().sql("UPDATE inventory_reservation SET expires_at = ? WHERE reservation_id = ?", LONG_AGO, reservationId);
    }

    @Test
    default void aReservationSaysUntilWhenItIsHeld() {
        StockKey key = stocked(5);

        Reserved hold = heldForAnHour(of(key, 1));

        Instant expected = Instant.now().plus(Duration.ofHours(1));
        assertThat(hold.expiresAt())
                .hasValueSatisfying(at -> assertThat(at).isCloseTo(expected, Assertions.within(Duration.ofMinutes(5))));
        assertReplayed(new Reserve(Order.of(of(key, 1)).heldFor(Duration.ofHours(1)), hold.id()), hold);
    }

    @Test
    default void whatIsInTimeCanBeShippedAndDoesNotExpire() {
        StockKey key = stocked(5);
        Reserved hold = heldForAnHour(of(key, 1));

        assertRefused(
                new Expire(hold.id()), Rejection.NOT_EXPIRED, "The reservation '" + hold.id() + "' has not expired.");
        assertThat(inventory().expireDue()).isZero();
        assertIs(Shipped.class, inventory().ship(hold.id(), id()));
    }

    @Test
    default void whatIsTooLateCantBeShipped() throws SQLException {
        StockKey key = stocked(5);
        Reserved hold = heldForAnHour(of(key, 1));
        letExpire(hold.id());

        assertRefused(
                new Ship(hold.id(), id()),
                Rejection.EXPIRED,
                "The reservation '" + hold.id() + "' expired at 2020-02-02T02:02:02 UTC.");
        inventory().expireDue();
        assertRefused(
                new Ship(hold.id(), id()),
                Rejection.EXPIRED,
                "The reservation '" + hold.id() + "' expired at 2020-02-02T02:02:02 UTC.");
        assertRefused(
                new Cancel(hold.id(), id()),
                Rejection.EXPIRED,
                "The reservation '" + hold.id() + "' expired at 2020-02-02T02:02:02 UTC.");
    }

    @Test
    default void whatIsTooLateCanStillBeCancelledAndThenDoesNotExpire() throws SQLException {
        StockKey key = stocked(5);
        Reserved hold = heldForAnHour(of(key, 1));
        letExpire(hold.id());

        assertIs(Cancelled.class, inventory().cancel(hold.id(), id()));
        assertThat(inventory().expireDue()).isZero();
        assertStock(key, 5, 0, 3);
    }

    @Test
    default void anExpiredReservationGivesItsStockBackOnce() throws SQLException {
        StockKey one = stocked(5);
        StockKey two = stocked(5);
        Reserved hold = heldForAnHour(of(one, 1), of(two, 2));
        Reserved stays = heldForAnHour(of(one, 1));
        letExpire(hold.id());

        assertThat(inventory().expireDue()).isEqualTo(1);
        assertThat(inventory().expireDue()).isZero();

        assertStock(one, 5, 1, 4);
        assertStock(two, 5, 0, 3);
        assertThat(books().ledger("expire/" + hold.id()))
                .extracting(LedgerRow::type)
                .containsExactly(EntryType.EXPIRE, EntryType.EXPIRE);
        assertThat(books().hold(stays.id())).allMatch(line -> line.state() == HoldState.HELD);
    }

    @Test
    default void anExpiryThatIsAskedForTwiceIsAnsweredTwice() throws SQLException {
        StockKey key = stocked(5);
        Reserved hold = heldForAnHour(of(key, 1));
        letExpire(hold.id());

        Expired first = assertIs(Expired.class, inventory().execute(new Expire(hold.id())));
        assertThat(first.changes()).containsExactly(new Change(0, -1, new Stock(key, 5, 0, 3)));
        assertReplayed(new Expire(hold.id()), first);
    }

    @Test
    default void aReservationWithTheLongestIdExpires() throws SQLException {
        StockKey key = stocked(5);
        String id = (id() + "-").repeat(100).substring(0, EngineAccess.LONGEST_ID);
        inventory().reserve(Order.of(of(key, 1)).heldFor(Duration.ofHours(1)), id);
        letExpire(id);

        assertThat(inventory().expireDue()).isEqualTo(1);
        assertStock(key, 5, 0, 3);
    }

    @Test
    default void nobodyCanTakeTheRequestIdOfAnExpiry() throws SQLException {
        StockKey key = stocked(5);
        Reserved hold = heldForAnHour(of(key, 1));
        String taken = "expire/" + hold.id();

        assertRefused(
                new Reserve(Order.of(of(key, 1)), taken),
                Rejection.INVALID_TEXT,
                "The request id begins with 'expire/', as only those of expiries do. Choose another.");
        letExpire(hold.id());
        assertThat(inventory().expireDue()).isEqualTo(1);
    }

    @Test
    default void manyExpireAtOnce() throws SQLException {
        StockKey key = stocked(600);
        List<Reserved> holds =
                IntStream.range(0, 30).mapToObj(i -> heldForAnHour(of(key, 20))).toList();
        for (Reserved hold : holds) {
            letExpire(hold.id());
        }

        AtomicInteger ended = new AtomicInteger();
        await("all are given back, though they may get into each other's way")
                .until(() -> ended.addAndGet(inventory().expireDue()) >= 30);
        assertThat(ended).hasValue(30);
        assertStock(key, 600, 0, 61);
    }

    @Test
    default void theDatabasesClockDecides() {
        StockKey key = stocked(5);
        String id = id();
        inventory().reserve(Order.of(of(key, 1)).heldFor(Duration.ofMillis(100)), id);

        await("its time is over").until(() -> inventory().expireDue() == 1);
        assertStock(key, 5, 0, 3);
    }

    @Test
    default void expiryHappensByItself() throws SQLException {
        StockKey key = stocked(5);
        Reserved hold = heldForAnHour(of(key, 1));
        letExpire(hold.id());

        try (Inventory sweeping = builder().sweepEvery(Duration.ofMillis(10)).build()) {
            await("it was swept").until(() -> sweeping.stock(key).orElseThrow().available() == 5);
        }
        assertStock(key, 5, 0, 3);
    }
}
