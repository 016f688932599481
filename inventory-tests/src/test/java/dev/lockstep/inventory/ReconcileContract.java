package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Discrepancy.OverdueHold;
import dev.lockstep.inventory.Discrepancy.StockFault.Kind;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.BooksDisagree;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import dev.lockstep.inventory.InventoryEvent.NegativeStock;
import dev.lockstep.inventory.engine.EngineAccess;
import dev.lockstep.testservers.Scale;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Every way in which someone can spoil the tables is found, and nothing else is. */
interface ReconcileContract extends BackOffice {
    @Test
    default void allThatAnInventoryDoesLeavesCleanBooks() throws SQLException {
        receive(SHIRT, 10, "in-1");
        receive(HAT, 10, "in-2");
        reserve(SHIRT, 2, "r1");
        reserve(SHIRT, 3, "r2");
        reserve(SHIRT, 1, "r3");
        inventory().ship("r1", "ship");
        inventory().cancel("r2", "cancel");
        inventory().adjust(new StockLine(HAT, -4), "broken", "adjust");
        shop().put(new StockKey("NEVER-SOLD", "TOKYO"), 0, 0, 0);

        ReconciliationReport report = inventory().reconcile(found -> {
            throw new AssertionError(found.what());
        });

        assertThat(report.isClean()).isTrue();
        assertThat(report.stocks()).isEqualTo(3);
    }

    @Test
    default void aRowThatWasChangedByHandIsFound() {
        sold();
        spoil("UPDATE inventory_location SET physical_qty = physical_qty + 1");
        assertThat(faults()).containsExactly(Kind.LEDGER_DIFFERS);
    }

    @Test
    default void aVersionThatWasChangedByHandIsFound() {
        sold();
        spoil("UPDATE inventory_location SET version = version + 1");
        assertThat(faults()).containsExactly(Kind.LEDGER_DIFFERS);
    }

    @Test
    default void whatCountsAsReservedWithoutAReservationIsFound() {
        sold();
        spoil("UPDATE inventory_location SET allocated_qty = allocated_qty + 1");
        assertThat(faults()).containsExactly(Kind.LEDGER_DIFFERS, Kind.HOLDS_DIFFER);
    }

    @Test
    default void negativeStockIsFound() {
        sold();
        spoil("UPDATE inventory_location SET physical_qty = -5");
        assertThat(faults()).containsExactly(Kind.NEGATIVE, Kind.LEDGER_DIFFERS);
    }

    @Test
    default void moreReservedThanThereIsIsFound() {
        sold();
        spoil("UPDATE inventory_location SET physical_qty = 1");
        assertThat(faults()).containsExactly(Kind.NEGATIVE, Kind.LEDGER_DIFFERS);
    }

    @Test
    default void aRowThatWasDeletedIsFound() {
        sold();
        spoil("DELETE FROM inventory_location");
        assertThat(faults()).containsExactly(Kind.NO_ROW);
    }

    @Test
    default void aRowThatCameWithoutALedgerIsFound() throws SQLException {
        shop().put(SHIRT, 7, 0, 0);
        assertThat(faults()).containsExactly(Kind.NO_LEDGER);
        assertThat(reconciled().get(0).what())
                .isEqualTo("SHIRT-001 at TOKYO has 7 in stock and 0 reserved (version 0), but no ledger says where it"
                        + " comes from.");
    }

    @Test
    default void aLineOfTheLedgerThatWasDeletedIsFound() {
        sold();
        spoil("DELETE FROM inventory_transaction WHERE sequence = 2");
        assertThat(faults()).containsExactly(Kind.LEDGER_BROKEN);
    }

    @Test
    default void missingLinesThatAddUpToNothingAreFound() {
        sold();
        inventory().adjust(new StockLine(SHIRT, 5), "found", "up");
        inventory().adjust(new StockLine(SHIRT, -5), "lost", "down");
        inventory().adjust(new StockLine(SHIRT, 1), "found", "last");
        spoil("DELETE FROM inventory_transaction WHERE request_id IN ('up', 'down')");
        assertThat(faults()).containsExactly(Kind.LEDGER_BROKEN);
    }

    @Test
    default void missingLinesAreFoundAlsoAfterARepair() {
        sold();
        spoil("UPDATE inventory_location SET physical_qty = 12, version = 9");
        assertThat(inventory().repair(SHIRT, Remedy.KEEP_STOCK, "counted", "repair"))
                .isInstanceOf(Outcome.Repaired.class);
        assertClean();
        inventory().adjust(new StockLine(SHIRT, 5), "found", "up");
        inventory().adjust(new StockLine(SHIRT, -5), "lost", "down");
        inventory().adjust(new StockLine(SHIRT, 1), "found", "last");
        assertClean();
        spoil("DELETE FROM inventory_transaction WHERE request_id IN ('up', 'down')");
        assertThat(faults()).containsExactly(Kind.LEDGER_BROKEN);
    }

    @Test
    default void aLineOfTheLedgerThatWasChangedIsFound() {
        sold();
        spoil("UPDATE inventory_transaction SET physical_change = 11 WHERE sequence = 1");
        assertThat(faults()).containsExactly(Kind.LEDGER_BROKEN);
    }

    @Test
    default void aReservationThatWasEndedByHandIsFound() {
        sold();
        spoil("UPDATE inventory_reservation SET state = 'CANCELLED' WHERE reservation_id = 'r1'");
        assertThat(faults()).containsExactly(Kind.HOLDS_DIFFER);
    }

    @Test
    default void aReservationOfNothingIsFound() {
        spoil("INSERT INTO inventory_reservation (reservation_id, sku, location, quantity, state, created_at)"
                + " VALUES ('r9', 'GHOST', 'TOKYO', 1, 'HELD', CURRENT_TIMESTAMP)");
        assertThat(faults()).containsExactly(Kind.HOLDS_DIFFER);
    }

    @Test
    default void aHoldThatIsOverForAMinuteIsOverdueAndNoEarlier() {
        receive(SHIRT, 10, "in");
        hold("late", Duration.ofHours(1));
        hold("soon", Duration.ofHours(1));
        hold("open", Duration.ofHours(1));
        expire("late", 120);
        expire("soon", 1);
        assertThat(reconciled()).singleElement().isInstanceOfSatisfying(OverdueHold.class, found -> {
            assertThat(found.reservationId()).isEqualTo("late");
            assertThat(found.what()).startsWith("The reservation 'late' expired at ");
        });
        assertThat(inventory().expireDue()).isEqualTo(2);
        assertClean();
    }

    private void hold(String id, Duration time) {
        Order order = Order.of(new StockLine(SHIRT, 1)).heldFor(time);
        assertThat(inventory().reserve(order, id)).isInstanceOf(Outcome.Reserved.class);
    }

    /** Moves the end of a reservation to so many seconds ago. */
    private void expire(String id, int seconds) {
        spoil("UPDATE inventory_reservation SET expires_at = created_at - INTERVAL '" + seconds + "' SECOND"
                + " WHERE reservation_id = '" + id + "'");
    }

    @Test
    default void everyStockIsComparedOnceHoweverThePagesFall() {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            StockKey key = new StockKey("SKU-" + i / 3, "SHOP-" + i % 3);
            receive(key, 10, "in-" + i);
            if (i % 2 == 0) {
                wrong.add(key.toString());
                spoil((i % 4 == 0 ? "DELETE FROM" : "UPDATE") + " inventory_location"
                        + (i % 4 == 0 ? "" : " SET physical_qty = 11") + " WHERE sku = '" + key.sku()
                        + "' AND location = '" + key.location() + "'");
            }
        }
        for (int page : List.of(1, 2, 3, 5, 10, 11)) {
            List<String> found = new ArrayList<>();
            ReconciliationReport report =
                    EngineAccess.reconcile(shop().dataSource(), page, one -> found.add(one.subject()));
            assertThat(found).as("pages of %d", page).containsExactlyInAnyOrderElementsOf(wrong);
            assertThat(report.stocks()).as("pages of %d", page).isEqualTo(10);
        }
    }

    @Test
    default void salesThatGoOnMeanwhileAreNoFault() {
        receive(SHIRT, 1_000_000, "in-1");
        receive(HAT, 1_000_000, "in-2");
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<CompletableFuture<Void>> sellers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = "seller-" + i + "-";
            sellers.add(CompletableFuture.runAsync(() -> sellUntil(enough, name), threads));
        }
        try {
            for (int i = 0; i < Scale.pick(30, 500); i++) {
                assertClean();
            }
        } finally {
            enough.set(true);
            threads.shutdown();
        }
        sellers.forEach(CompletableFuture::join);
        assertClean();
    }

    private void sellUntil(AtomicBoolean enough, String name) {
        for (int i = 0; !enough.get(); i++) {
            inventory().reserve(Order.of(new StockLine(SHIRT, 1), new StockLine(HAT, 1)), name + i);
            inventory()
                    .submit(
                            i % 2 == 0
                                    ? new Command.Ship(name + i, "ship-" + name + i)
                                    : new Command.Cancel(name + i, "cancel-" + name + i))
                    .join();
        }
    }

    @Test
    default void whatIsFoundIsAlsoAnAlert() {
        sold();
        receive(HAT, 5, "hats");
        inventory().reserve(Order.of(new StockLine(HAT, 1)).heldFor(Duration.ofHours(1)), "late");
        expire("late", 120);
        spoil("UPDATE inventory_location SET physical_qty = -5 WHERE sku = 'SHIRT-001'");
        ConcurrentLinkedQueue<Class<?>> heard = new ConcurrentLinkedQueue<>();
        Locks.Subscription subscription = inventory().subscribe(event -> {
            if (event instanceof Alert) {
                heard.add(event.getClass());
            }
        });
        try (subscription) {
            assertThat(reconciled()).hasSize(3);
            await().untilAsserted(() ->
                    assertThat(heard).containsExactly(NegativeStock.class, BooksDisagree.class, HoldOverdue.class));
        }
        assertThat(inventory().figures().alerts())
                .containsEntry("NegativeStock", 1L)
                .containsEntry("BooksDisagree", 1L)
                .containsEntry("HoldOverdue", 1L);
    }

    /** Ten shirts, of which three are reserved. */
    private void sold() {
        receive(SHIRT, 10, "in");
        reserve(SHIRT, 1, "r1");
        reserve(SHIRT, 2, "r2");
    }
}
