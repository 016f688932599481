package dev.lockstep.inventory;

import static dev.lockstep.inventory.Remedy.FROM_LEDGER;
import static dev.lockstep.inventory.Remedy.KEEP_STOCK;
import static dev.lockstep.inventory.Remedy.RECOUNT_HOLDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Repaired;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Books that disagree are put right on request, once, and with a line in the ledger. */
interface RepairContract extends BackOffice {
    @Test
    default void fromTheLedgerTheRowBecomesWhatItWas() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET physical_qty = 99, allocated_qty = 98, version = 50");
        assertThat(repair(FROM_LEDGER, "fix")).isEqualTo(repaired("fix", 0, 0, 10, 3, 51));
        assertStock(10, 3, 51);
        assertClean();
    }

    @Test
    default void aRepairedStockIsSoldOn() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET physical_qty = -1");
        repair(FROM_LEDGER, "fix");
        assertThat(inventory().ship("r1", "ship")).isInstanceOf(Shipped.class);
        reserve(SHIRT, 7, "all");
        assertStock(9, 9, 6);
        assertClean();
    }

    @Test
    default void theStockThatIsKeptGetsALineThatExplainsIt() throws SQLException {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET physical_qty = 12");
        assertThat(repair(KEEP_STOCK, "fix")).isEqualTo(repaired("fix", 2, 0, 12, 3, 4));
        assertStock(12, 3, 4);
        assertClean();
        assertThat(shop().number("SELECT COUNT(*) FROM inventory_transaction WHERE type = 'REPAIR'"
                        + " AND note = 'counted by hand' AND sequence = 4"))
                .isEqualTo(1);
    }

    @Test
    default void keepingTheStockOpensTheLedgerOfARowThatCameBySql() throws SQLException {
        shop().put(SHIRT, 7, 0, 5);
        assertThat(repair(KEEP_STOCK, "open")).isEqualTo(repaired("open", 7, 0, 7, 0, 6));
        reserve(SHIRT, 1, "r1");
        assertStock(7, 1, 7);
        assertClean();
    }

    @Test
    default void aLedgerWithoutSomeOfItsLinesIsGoodAgainWhenTheStockIsKept() {
        tenWithThreeReserved();
        spoil("DELETE FROM inventory_transaction WHERE sequence = 1");
        assertThat(repair(FROM_LEDGER, "no"))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.why()).isEqualTo(Rejection.CANT_REPAIR));
        assertThat(repair(KEEP_STOCK, "fix")).isEqualTo(repaired("fix", 10, 0, 10, 3, 4));
        assertClean();
    }

    @Test
    default void aVersionBehindItsLedgerStopsAllSalesUntilItIsRepaired() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET version = 1");
        assertThat(inventory().reserve(new StockLine(SHIRT, 1), "early")).isNotInstanceOf(Outcome.Accepted.class);
        repair(FROM_LEDGER, "fix");
        reserve(SHIRT, 1, "later");
        assertStock(10, 4, 5);
        assertClean();
    }

    @Test
    default void aRowThatWasDeletedIsMadeAgain() {
        tenWithThreeReserved();
        spoil("DELETE FROM inventory_location");
        assertThat(repair(FROM_LEDGER, "fix")).isEqualTo(repaired("fix", 0, 0, 10, 3, 4));
        assertStock(10, 3, 4);
        assertClean();
    }

    @Test
    default void whatIsReservedIsCountedAnew() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_reservation SET state = 'CANCELLED' WHERE reservation_id = 'r2'");
        assertThat(repair(FROM_LEDGER, "no"))
                .isEqualTo(
                        new Rejected(
                                "no",
                                Rejection.NOTHING_TO_REPAIR,
                                "The row of SHIRT-001 at TOKYO and its ledger say the same: 10 in stock and 3 reserved"
                                        + " (version 3). But its open reservations hold 1: for that, repair it with RECOUNT_HOLDS."));
        assertThat(repair(RECOUNT_HOLDS, "fix")).isEqualTo(repaired("fix", 0, -2, 10, 1, 4));
        assertStock(10, 1, 4);
        assertClean();
    }

    @Test
    default void booksThatAgreeAreLeftAlone() {
        tenWithThreeReserved();
        for (Remedy remedy : Remedy.values()) {
            assertRefused(remedy, Rejection.NOTHING_TO_REPAIR);
        }
        assertStock(10, 3, 3);
    }

    @Test
    default void anEmptyRowWithoutALedgerNeedsNoRepair() throws SQLException {
        shop().put(SHIRT, 0, 0, 0);
        for (Remedy remedy : Remedy.values()) {
            assertRefused(remedy, Rejection.NOTHING_TO_REPAIR);
        }
    }

    @Test
    default void whatNobodyHasHeardOfIsNotRepairedAndNotMade() throws SQLException {
        for (Remedy remedy : Remedy.values()) {
            assertRefused(remedy, Rejection.UNKNOWN_STOCK);
        }
        assertThat(shop().number("SELECT COUNT(*) FROM inventory_location")).isZero();
    }

    @Test
    default void aRowWithoutALedgerHasNothingToComeBackTo() throws SQLException {
        shop().put(SHIRT, 7, 0, 0);
        assertRefused(FROM_LEDGER, Rejection.CANT_REPAIR);
    }

    @Test
    default void negativeStockIsNotKept() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET physical_qty = -5");
        assertRefused(KEEP_STOCK, Rejection.CANT_REPAIR);
    }

    @Test
    default void whatIsReceivedDoesNotHideNegativeStock() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET physical_qty = -5");
        assertThat(inventory().receive(new StockLine(SHIRT, 1), "more"))
                .isEqualTo(new Rejected(
                        "more",
                        Rejection.BOOKS_DISAGREE,
                        "SHIRT-001 at TOKYO has -5 in stock and 3 reserved (version 3). It was changed by hand:"
                                + " reconcile it, and repair it."));
        repair(FROM_LEDGER, "fix");
        receive(SHIRT, 1, "more");
        assertStock(11, 3, 5);
    }

    @Test
    default void aLedgerThatAddsUpToLessThanNothingIsNotBelieved() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_transaction SET physical_change = -10, physical_after = -10 WHERE sequence = 1");
        spoil("UPDATE inventory_transaction SET physical_after = -10");
        assertRefused(FROM_LEDGER, Rejection.CANT_REPAIR);
    }

    @Test
    default void stockThatIsLessThanTheReservationsHoldIsNotKept() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET physical_qty = 2, allocated_qty = 2");
        assertThat(inventory().repair(SHIRT, KEEP_STOCK, "why", "fix"))
                .isEqualTo(new Rejected(
                        "fix",
                        Rejection.CANT_REPAIR,
                        "SHIRT-001 at TOKYO can't be repaired like this: its open reservations hold 3, and there would be"
                                + " only 2 in stock. Cancel some of them first."));
        assertStock(2, 2, 3);
    }

    @Test
    default void holdsAreNotRecountedWhileRowAndLedgerDisagree() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET physical_qty = 11, allocated_qty = 2");
        assertRefused(RECOUNT_HOLDS, Rejection.CANT_REPAIR);
    }

    @Test
    default void aRepairNeedsAReason() {
        tenWithThreeReserved();
        assertThat(inventory().repair(SHIRT, FROM_LEDGER, "", "fix"))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.why()).isEqualTo(Rejection.INVALID_TEXT));
    }

    @Test
    default void aRepairThatComesAgainIsDoneOnce() {
        tenWithThreeReserved();
        spoil("UPDATE inventory_location SET physical_qty = 12");
        Repair repair = new Repair(SHIRT, KEEP_STOCK, "counted by hand", "fix");
        List<CompletableFuture<Outcome>> answers =
                IntStream.range(0, 8).mapToObj(i -> inventory().submit(repair)).toList();
        Repaired first = repaired("fix", 2, 0, 12, 3, 4);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(first));
        spoil("UPDATE inventory_location SET physical_qty = 13");
        assertThat(inventory().execute(repair)).isEqualTo(first);
        assertThat(inventory().outcomeOf(repair)).contains(first);
        assertStock(13, 3, 4);
        assertThat(repair(FROM_LEDGER, "fix"))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.why()).isEqualTo(Rejection.REQUEST_ID_REUSED));
    }

    @Test
    default void salesAndRepairsOfTheSameStockKeepOutOfEachOthersWay() {
        receive(SHIRT, 1_000, "in");
        List<CompletableFuture<Outcome>> sales = IntStream.range(0, 100)
                .mapToObj(i -> inventory().submit(new Command.Reserve(Order.of(new StockLine(SHIRT, 1)), "sale-" + i)))
                .toList();
        for (int i = 0; i < 10; i++) {
            spoil("UPDATE inventory_location SET physical_qty = physical_qty + 1");
            assertThat(repair(KEEP_STOCK, "fix-" + i)).isInstanceOf(Repaired.class);
        }
        assertThat(sales).allSatisfy(sale -> assertThat(sale.join()).isInstanceOf(Reserved.class));
        assertStock(1_010, 100, 111);
        assertClean();
    }

    private Outcome repair(Remedy remedy, String id) {
        return inventory().repair(SHIRT, remedy, "counted by hand", id);
    }

    private static Repaired repaired(
            String id, long physical, long allocated, long physicalAfter, long allocatedAfter, long version) {
        return new Repaired(
                id, List.of(new Change(physical, allocated, new Stock(SHIRT, physicalAfter, allocatedAfter, version))));
    }

    private void assertRefused(Remedy remedy, Rejection why) {
        List<Discrepancy> before = reconciled();
        assertThat(repair(remedy, "fix"))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                                assertThat(rejected.why()).as(rejected.detail()).isEqualTo(why));
        assertThat(reconciled()).isEqualTo(before);
    }

    private void assertStock(long physical, long allocated, long version) {
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, physical, allocated, version));
    }

    private void tenWithThreeReserved() {
        receive(SHIRT, 10, "in");
        reserve(SHIRT, 1, "r1");
        reserve(SHIRT, 2, "r2");
    }
}
