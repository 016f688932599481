package dev.lockstep.inventory;

import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.BooksDisagree;
import dev.lockstep.inventory.InventoryEvent.CalledInTransaction;
import dev.lockstep.inventory.InventoryEvent.ConflictRateHigh;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import dev.lockstep.inventory.InventoryEvent.LockHeldLong;
import dev.lockstep.inventory.InventoryEvent.NegativeStock;
import dev.lockstep.inventory.InventoryEvent.OverallConflictRateHigh;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Alerts in words, for those who look after the shop. */
final class AlertTexts {
    private static final int NAMED = 3;

    private AlertTexts() {}

    static String of(Alert alert) {
        if (alert instanceof NegativeStock negative) {
            return negative(negative.stock());
        }
        if (alert instanceof ConflictRateHigh high) {
            return conflicts(high);
        }
        if (alert instanceof LockHeldLong locked) {
            return locked(locked);
        }
        if (alert instanceof HoldOverdue overdue) {
            return overdue(overdue);
        }
        if (alert instanceof OverallConflictRateHigh high) {
            return overall(high);
        }
        if (alert instanceof CalledInTransaction called) {
            return inTransaction(called);
        }
        Discrepancy found = ((BooksDisagree) alert).discrepancy();
        return "Books disagree: " + found.what() + " " + found.advice();
    }

    private static String negative(Stock stock) {
        return "Negative stock: of " + stock.key() + " there are " + stock.physical() + " in stock and "
                + stock.allocated() + " reserved, so " + stock.available() + " to sell (version " + stock.version()
                + "). The row was changed past its guards: see that the table has its CHECKs, look at the stock's"
                + " lines in inventory_transaction, and repair() it.";
    }

    private static String conflicts(ConflictRateHigh high) {
        return String.format(
                Locale.ROOT,
                "Contention: %.0f%% of the last %d attempts to change %s met others, and 10%% is the limit. The"
                        + " strategies ADAPTIVE and COMBINING have no such conflicts; with ADAPTIVE nothing is to be"
                        + " done.",
                100 * high.rate(),
                high.attempts(),
                high.key());
    }

    private static String overall(OverallConflictRateHigh high) {
        return String.format(
                Locale.ROOT,
                "Contention: %.0f%% of the last %d attempts to change stock met others, and 10%% is the limit. They are"
                        + " spread over many stocks, each with few attempts: see which processes and jobs change the same"
                        + " stock, or use the strategy COMBINING.",
                100 * high.rate(),
                high.attempts());
    }

    private static String inTransaction(CalledInTransaction called) {
        return called.command().getClass().getSimpleName() + " '"
                + called.command().requestId()
                + "' was called inside a transaction on the same DataSource. It commits on its own, whatever becomes of"
                + " that transaction, and needs a second connection while the caller keeps the first: with as many such"
                + " callers as the pool has connections, all of them wait until they time out. Call it before or after"
                + " the transaction, or give the inventory a separate pool.";
    }

    private static String locked(LockHeldLong locked) {
        return "Long lock: " + some(locked.keys()) + (locked.keys().size() == 1 ? " was" : " were") + " locked for "
                + locked.held().toMillis() + " ms, and the goal is 100 ms. Look at the database's disk, the network,"
                + " garbage collection, and at orders of very many lines.";
    }

    private static String some(List<StockKey> keys) {
        String named = keys.stream().limit(NAMED).map(StockKey::toString).collect(Collectors.joining(", "));
        return keys.size() <= NAMED ? named : named + " and " + (keys.size() - NAMED) + " more";
    }

    private static String overdue(HoldOverdue overdue) {
        return "Overdue: the reservation '" + overdue.reservationId() + "' expired at " + overdue.expiredAt()
                + ", and its stock was not returned. See that some process sweeps; if one does, the stock's row"
                + " doesn't have what the reservation holds: reconcile() it, and repair() it.";
    }
}
