package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Adjusted;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Repaired;
import dev.lockstep.inventory.Outcome.SafetyStockSet;
import dev.lockstep.inventory.Outcome.Shipped;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stock that is not for sale. */
interface SafetyContract extends BackOffice {
    private Outcome set(long quantity, String id) {
        return inventory().setSafetyStock(SHIRT, quantity, "for the shop window", id);
    }

    private Outcome buy(long quantity, String id) {
        return inventory().reserve(new StockLine(SHIRT, quantity), id);
    }

    private void assertShort(Outcome outcome, long requested, long available) {
        assertThat(outcome)
                .isEqualTo(new OutOfStock(outcome.requestId(), List.of(new Shortage(SHIRT, requested, available))));
    }

    @Test
    default void reservationsLeaveTheSafetyStock() {
        receive(SHIRT, 10, "in");
        assertThat(set(3, "safe")).isInstanceOf(SafetyStockSet.class);
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 10, 0, 2, 3));
        assertThat(inventory().stock("SHIRT-001")).containsExactly(new Stock(SHIRT, 10, 0, 2, 3));
        assertThat(inventory().stock(SHIRT).orElseThrow().available()).isEqualTo(7);
        assertShort(buy(8, "r1"), 8, 7);
        reserve(SHIRT, 7, "r2");
        assertShort(buy(1, "r3"), 1, 0);
        assertThat(set(2, "less")).isInstanceOf(SafetyStockSet.class);
        reserve(SHIRT, 1, "r3");
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 10, 8, 5, 2));
        assertClean();
    }

    @Test
    default void aSafetyStockAboveWhatIsFreeKeepsReservations() {
        receive(SHIRT, 10, "in");
        reserve(SHIRT, 4, "r1");
        reserve(SHIRT, 4, "r2");
        assertThat(set(50, "safe")).isInstanceOf(SafetyStockSet.class);
        assertThat(inventory().stock(SHIRT).orElseThrow().available()).isZero();
        assertShort(buy(1, "r3"), 1, 0);
        assertThat(inventory().ship("r1", "s1")).isInstanceOf(Shipped.class);
        assertThat(inventory().cancel("r2", "c2")).isInstanceOf(Cancelled.class);
        assertThat(inventory().adjust(new StockLine(SHIRT, -6), "counted", "a1"))
                .isInstanceOf(Adjusted.class);
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 0, 0, 7, 50));
        assertClean();
    }

    @Test
    default void theLedgerSaysWhoSetItAndTheSameRequestIsDoneOnce() {
        receive(SHIRT, 10, "in");
        Outcome first = set(3, "safe");
        assertThat(((Accepted) first).changes()).containsExactly(new Change(0, 0, new Stock(SHIRT, 10, 0, 2)));
        assertThat(set(3, "safe")).isEqualTo(first);
        assertThat(set(4, "safe"))
                .isInstanceOfSatisfying(
                        Rejected.class, reused -> assertThat(reused.why()).isEqualTo(Rejection.REQUEST_ID_REUSED));
        LedgerEntry line = inventory().ledger(SHIRT, 1, 10).get(0);
        assertThat(line.type()).isEqualTo(EntryType.SAFETY);
        assertThat(line.requestId()).isEqualTo("safe");
        assertThat(line.note()).contains("3: for the shop window");
        Outcome reserved = buy(1, "r1");
        assertThat(buy(1, "r1")).isEqualTo(reserved);
    }

    @Test
    default void aRepairKeepsIt() {
        receive(SHIRT, 10, "in");
        set(3, "safe");
        spoil("UPDATE inventory_location SET physical_qty = 99");
        assertThat(inventory().repair(SHIRT, Remedy.FROM_LEDGER, "by hand", "fix"))
                .isInstanceOf(Repaired.class);
        assertThat(inventory().stock(SHIRT)).contains(new Stock(SHIRT, 10, 0, 3, 3));
        assertClean();
    }

    @Test
    default void whatCanBeNoSafetyStockIsRefused() {
        receive(SHIRT, 10, "in");
        assertThat(set(-1, "safe"))
                .isEqualTo(new Rejected(
                        "safe",
                        Rejection.INVALID_QUANTITY,
                        "The safety stock of SHIRT-001 at TOKYO must be between 0 and 1000000000000000, but was -1."
                                + " Nothing was changed."));
        assertThat(inventory().setSafetyStock(SHIRT, 1, "x".repeat(181), "safe"))
                .isInstanceOfSatisfying(
                        Rejected.class, refused -> assertThat(refused.why()).isEqualTo(Rejection.INVALID_TEXT));
        assertThat(inventory().setSafetyStock(HAT, 1, "none", "safe"))
                .isInstanceOfSatisfying(
                        Rejected.class, refused -> assertThat(refused.why()).isEqualTo(Rejection.UNKNOWN_STOCK));
    }
}
