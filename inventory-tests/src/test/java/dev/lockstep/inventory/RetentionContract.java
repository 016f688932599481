package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Repaired;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is older than the retention is deleted, and the books stay right. */
interface RetentionContract extends BackOffice {
    private RetentionReport retain() {
        return inventory().retain(progress -> {});
    }

    private long count(String table) {
        try {
            return shop().number("SELECT COUNT(*) FROM " + table);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Ten shirts came; one was shipped, one cancelled, one is held. */
    private void sellSome() {
        receive(SHIRT, 10, "in");
        reserve(SHIRT, 1, "r1");
        reserve(SHIRT, 1, "r2");
        reserve(SHIRT, 1, "r3");
        assertThat(inventory().ship("r1", "s1")).isInstanceOf(Shipped.class);
        assertThat(inventory().cancel("r2", "c2")).isInstanceOf(Cancelled.class);
    }

    @Test
    default void whatIsOldIsReplacedByACheckpointAndTheBooksAgree() {
        sellSome();
        letTwoYearsPass();
        reserve(SHIRT, 2, "new");

        RetentionReport report = retain();

        assertThat(report.stocks()).isEqualTo(1);
        assertThat(report.ledgerLines()).isEqualTo(5);
        assertThat(report.reservations()).isEqualTo(2);
        assertThat(report.skipped()).isZero();
        assertThat(count("inventory_transaction")).isEqualTo(2);
        assertThat(count("inventory_reservation")).isEqualTo(2);
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 9, 3, 7));
        assertClean();
        assertThat(retain().ledgerLines()).isZero();
        assertClean();
    }

    @Test
    default void whatIsYoungerIsKept() {
        sellSome();
        RetentionReport report = retain();
        assertThat(report.ledgerLines() + report.reservations()).isZero();
        assertThat(inventory().reserve(new StockLine(SHIRT, 1), "r1")).isInstanceOf(Reserved.class);
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 9, 1, 6));
    }

    @Test
    default void salesAndRepairsGoOnAfterACheckpoint() {
        sellSome();
        letTwoYearsPass();
        retain();
        assertThat(inventory().ship("r3", "s3")).isInstanceOf(Shipped.class);
        reserve(SHIRT, 1, "r4");
        assertClean();
        letTwoYearsPass();
        assertThat(retain().ledgerLines()).isEqualTo(2);
        assertClean();
        spoil("UPDATE inventory_location SET physical_qty = 99, version = 20");
        assertThat(inventory().repair(SHIRT, Remedy.FROM_LEDGER, "by hand", "fix"))
                .isInstanceOf(Repaired.class);
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 8, 1, 21));
        assertClean();
    }

    @Test
    default void anOldReservationThatIsStillHeldIsNotMadeTwice() {
        sellSome();
        letTwoYearsPass();
        retain();
        assertThat(inventory().reserve(new StockLine(SHIRT, 1), "r3"))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.why()).isEqualTo(Rejection.REQUEST_ID_REUSED));
        assertThat(inventory().cancel("r3", "c3")).isInstanceOf(Cancelled.class);
        assertClean();
    }

    @Test
    default void linesThatDoNotAddUpAreKeptUntilTheyAreRepaired() {
        sellSome();
        spoil("DELETE FROM inventory_transaction WHERE sequence = 2");
        letTwoYearsPass();
        RetentionReport report = retain();
        assertThat(report.skipped()).isEqualTo(1);
        assertThat(report.ledgerLines()).isZero();
        assertThat(inventory().repair(SHIRT, Remedy.KEEP_STOCK, "counted", "fix"))
                .isInstanceOf(Repaired.class);
        letTwoYearsPass();
        assertThat(retain().skipped()).isZero();
        assertThat(count("inventory_transaction")).isEqualTo(1);
        assertClean();
    }

    @Test
    default void itRunsBesideSalesAndReportsItsProgress() {
        receive(SHIRT, 100_000, "in");
        receive(HAT, 10, "hats");
        List<CompletableFuture<Outcome>> sales = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            sales.add(inventory().submit(new Command.Reserve(Order.of(new StockLine(SHIRT, 1)), "old-" + i)));
        }
        sales.forEach(sale -> assertThat(sale.join()).isInstanceOf(Reserved.class));
        letTwoYearsPass();
        sales.clear();
        List<RetentionReport> progress = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sales.add(inventory().submit(new Command.Reserve(Order.of(new StockLine(SHIRT, 1)), "new-" + i)));
        }
        RetentionReport report = inventory().retain(progress::add);
        sales.forEach(sale -> assertThat(sale.join()).isInstanceOf(Reserved.class));
        assertThat(report.ledgerLines()).isEqualTo(1_500);
        assertThat(progress).hasSizeGreaterThan(2);
        assertThat(count("inventory_transaction")).isEqualTo(1 + 1 + 200);
        assertClean();
    }

    @Test
    default void aRetentionShorterThanTheRetriesOfAClientIsRefused() {
        assertThatThrownBy(() -> shop().inventory().retention(Duration.ofHours(23)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("The retention must be between 1 and 36500 days, but was PT23H.");
    }

    @Test
    default void requestIdsOfCheckpointsAreRefused() {
        assertThat(inventory().receive(new StockLine(SHIRT, 1), "checkpoint/x"))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.why()).isEqualTo(Rejection.INVALID_TEXT));
    }
}
