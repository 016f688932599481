package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Reserved;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is sold out is answered from memory, which must not hide what there is. */
interface SoldOutContract extends ShopStage {
    private void assertSoldOut(StockKey key) {
        for (int i = 0; i < 3; i++) {
            String id = id();
            OutOfStock expected = new OutOfStock(id, List.of(new Shortage(key, 1, 0)));
            assertThat(inventory().reserve(of(key, 1), id)).isEqualTo(expected);
            assertThat(inventory().submit(new Reserve(Order.of(of(key, 1)), id)).join())
                    .isEqualTo(expected);
        }
    }

    @Test
    default void whoHadTheLastOnesIsToldSoAgain() {
        StockKey key = stocked(2);
        Reserve reserve = new Reserve(Order.of(of(key, 2)), id());
        Reserved first = assertIs(Reserved.class, inventory().execute(reserve));
        assertSoldOut(key);

        assertReplayed(reserve, first);
        assertRefused(
                new Reserve(Order.of(of(key, 1)), reserve.requestId()),
                Rejection.REQUEST_ID_REUSED,
                "The request id '" + reserve.requestId()
                        + "' was used for something else. Make a new one for each request.");
    }

    @Test
    default void whatComesInCanBeSoldAtOnce() {
        StockKey key = stocked(1);
        reserved(key, 1);
        for (int i = 0; i < 5; i++) {
            assertSoldOut(key);
            inventory().receive(of(key, 1), id());
            reserved(key, 1);
        }
    }

    @Test
    default void whatIsGivenBackCanBeSoldAtOnce() throws SQLException {
        StockKey key = stocked(1);
        Reserved last = reserved(key, 1);
        for (int i = 0; i < 5; i++) {
            assertSoldOut(key);
            inventory().cancel(last.id(), id());
            last = reserved(key, 1);
        }
        inventory().cancel(last.id(), id());
        assertSoldOutUntilExpiry(key);
    }

    private void assertSoldOutUntilExpiry(StockKey key) throws SQLException {
        String id = id();
        inventory().reserve(Order.of(of(key, 1)).heldFor(Duration.ofHours(1)), id);
        assertSoldOut(key);
        shop().sql(
                        "UPDATE inventory_reservation SET expires_at = ? WHERE reservation_id = ?",
                        ExpiryContract.LONG_AGO,
                        id);
        inventory().execute(new Expire(id));
        reserved(key, 1);
    }

    @Test
    default void whatIsCorrectedCanBeSoldAtOnce() {
        StockKey key = stocked(1);
        reserved(key, 1);
        assertSoldOut(key);
        inventory().adjust(of(key, 1), "found", id());
        reserved(key, 1);
    }

    @Test
    default void anEmptyShelfIsNotUnknown() {
        StockKey key = stocked(1);
        inventory().adjust(of(key, -1), "lost", id());
        assertSoldOut(key);
        assertStock(key, 0, 0, 2);
    }
}
