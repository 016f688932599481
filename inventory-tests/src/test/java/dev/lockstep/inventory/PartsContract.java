package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.Extended;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reservations that end in parts, or later than they were to. */
interface PartsContract extends BackOffice {
    private void reserveOrder() {
        receive(SHIRT, 10, "shirts");
        receive(HAT, 10, "hats");
        Order order = Order.of(new StockLine(SHIRT, 3), new StockLine(HAT, 2));
        assertThat(inventory().reserve(order.heldFor(Duration.ofHours(1)), "r1"))
                .isInstanceOf(Reserved.class);
    }

    private static List<StockLine> shirts(long quantity) {
        return List.of(new StockLine(SHIRT, quantity));
    }

    private Reservation reservation() {
        return inventory().reservation("r1").orElseThrow();
    }

    private void assertRejected(Outcome outcome, Rejection why) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                                assertThat(rejected.why()).as(rejected.detail()).isEqualTo(why));
        assertClean();
    }

    @Test
    default void anOrderIsShippedInParts() {
        reserveOrder();
        Outcome first = inventory().ship("r1", shirts(1), "s1");
        assertThat(first).isInstanceOf(Shipped.class);
        assertThat(reservation().state()).isEqualTo(HoldState.HELD);
        assertThat(reservation().lines()).containsExactlyInAnyOrder(new StockLine(SHIRT, 2), new StockLine(HAT, 2));
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 9, 2, 3));
        assertClean();
        assertThat(inventory().ship("r1", shirts(2), "s2")).isInstanceOf(Shipped.class);
        assertThat(reservation().lines()).containsExactly(new StockLine(HAT, 2));
        assertClean();
        assertThat(inventory().ship("r1", "s3")).isInstanceOf(Shipped.class);
        assertThat(reservation().state()).isEqualTo(HoldState.SHIPPED);
        assertThat(inventory().stock(List.of(HAT, SHIRT, new StockKey("NONE", "TOKYO"))))
                .containsExactly(new Stock(HAT, 8, 0, 3), new Stock(SHIRT, 7, 0, 4));
        assertClean();
        assertThat(inventory().ship("r1", shirts(1), "s1")).isEqualTo(first);
    }

    @Test
    default void aPartIsCancelledAndTheRestShipped() {
        reserveOrder();
        assertThat(inventory().cancel("r1", List.of(new StockLine(HAT, 2), new StockLine(SHIRT, 1)), "c1"))
                .isInstanceOf(Cancelled.class);
        assertThat(reservation().lines()).containsExactly(new StockLine(SHIRT, 2));
        assertClean();
        assertThat(inventory().ship("r1", "s1")).isInstanceOf(Shipped.class);
        assertThat(reservation())
                .as("what was cancelled was not shipped")
                .isEqualTo(new Reservation("r1", shirts(2), HoldState.SHIPPED, Optional.empty()));
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 8, 0, 4));
        assertThat(inventory().stock(HAT)).contains(new Stock(HAT, 10, 0, 3));
        assertClean();
    }

    @Test
    default void aPartOfAllIsAll() {
        reserveOrder();
        assertThat(inventory()
                        .cancel(
                                "r1",
                                List.of(new StockLine(SHIRT, 1), new StockLine(HAT, 2), new StockLine(SHIRT, 2)),
                                "c1"))
                .isInstanceOf(Cancelled.class);
        assertThat(reservation().state()).isEqualTo(HoldState.CANCELLED);
        assertClean();
    }

    @Test
    default void theRestOfAPartlyShippedOrderExpires() {
        reserveOrder();
        assertThat(inventory().ship("r1", shirts(3), "s1")).isInstanceOf(Shipped.class);
        spoil("UPDATE inventory_reservation SET expires_at = created_at");
        assertThat(inventory().expireDue()).isEqualTo(1);
        assertThat(inventory().stock(HAT)).contains(new Stock(HAT, 10, 0, 3));
        assertClean();
    }

    @Test
    default void moreThanIsHeldIsRejected() {
        reserveOrder();
        assertRejected(inventory().ship("r1", shirts(4), "s1"), Rejection.INVALID_QUANTITY);
        assertRejected(inventory().ship("r1", shirts(0), "s1"), Rejection.INVALID_QUANTITY);
        StockLine other = StockLine.line("OTHER", "TOKYO", 1);
        assertRejected(inventory().cancel("r1", List.of(other), "c1"), Rejection.INVALID_QUANTITY);
        List<StockLine> huge = List.of(new StockLine(SHIRT, Long.MAX_VALUE), new StockLine(SHIRT, Long.MAX_VALUE));
        assertRejected(inventory().cancel("r1", huge, "c1"), Rejection.INVALID_QUANTITY);
        assertThat(inventory().ship("r1", shirts(1), "s1")).isInstanceOf(Shipped.class);
        assertRejected(inventory().ship("r1", shirts(2), "s1"), Rejection.REQUEST_ID_REUSED);
        assertRejected(inventory().ship("r1", "s1"), Rejection.REQUEST_ID_REUSED);
    }

    @Test
    default void aReservationIsExtended() {
        reserveOrder();
        Instant before = reservation().expiresAt().orElseThrow();
        Outcome outcome = inventory().extend("r1", Duration.ofHours(5), "e1");
        assertThat(outcome).isInstanceOfSatisfying(Extended.class, extended -> {
            assertThat(extended.expiresAt()).isAfter(before.plus(Duration.ofHours(3)));
            assertThat(reservation().expiresAt()).contains(extended.expiresAt());
        });
        assertClean();
        assertThat(inventory().extend("r1", Duration.ofHours(9), "e2")).isInstanceOf(Extended.class);
        assertThat(inventory().extend("r1", Duration.ofHours(5), "e1")).isEqualTo(outcome);
        assertThat(inventory().outcomeOf(new Command.Extend("r1", Duration.ofHours(5), "e1")))
                .contains((Extended) outcome);
        assertThat(inventory().ship("r1", "s1")).isInstanceOf(Shipped.class);
        assertClean();
    }

    @Test
    default void aRepeatedReserveReturnsItsFirstExpiryAfterAnExtension() {
        receive(SHIRT, 10, "shirts");
        Order order = Order.of(new StockLine(SHIRT, 1)).heldFor(Duration.ofHours(1));
        Outcome first = inventory().reserve(order, "r1");
        assertThat(inventory().extend("r1", Duration.ofHours(5), "e1")).isInstanceOf(Extended.class);
        assertThat(inventory().reserve(order, "r1"))
                .isInstanceOf(Reserved.class)
                .isEqualTo(first);
    }

    @Test
    default void whatHasExpiredOrEndedIsNotExtended() {
        reserveOrder();
        assertRejected(inventory().extend("r1", Duration.ZERO, "e1"), Rejection.INVALID_TIME);
        assertRejected(inventory().extend("r9", Duration.ofHours(1), "e1"), Rejection.UNKNOWN_RESERVATION);
        spoil("UPDATE inventory_reservation SET expires_at = created_at");
        assertThat(inventory().extend("r1", Duration.ofHours(1), "e1"))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.why()).isEqualTo(Rejection.EXPIRED));
        assertThat(inventory().cancel("r1", "c1")).isInstanceOf(Cancelled.class);
        assertRejected(inventory().extend("r1", Duration.ofHours(1), "e1"), Rejection.ALREADY_CANCELLED);
    }

    @Test
    default void anOrderWithoutATimeIsHeldForTheDefault() {
        receive(SHIRT, 10, "shirts");
        try (Inventory limited = shop().inventory()
                .sweepEvery(Duration.ZERO)
                .defaultHold(Duration.ofHours(1))
                .build()) {
            Reserved reserved = (Reserved) limited.reserve(new StockLine(SHIRT, 1), "by-default");
            assertThat(reserved.expiresAt()).isPresent();
            assertThat(inventory().reserve(new StockLine(SHIRT, 1), "by-default"))
                    .isEqualTo(reserved);
            reserve(SHIRT, 1, "without");
            assertThat(limited.reserve(new StockLine(SHIRT, 1), "without"))
                    .isInstanceOfSatisfying(
                            Reserved.class, same -> assertThat(same.expiresAt()).isEmpty());
        }
        assertThatThrownBy(() -> shop().inventory().defaultHold(Duration.ofDays(-1)))
                .isInstanceOf(InvalidRequestException.class);
        assertClean();
    }
}
