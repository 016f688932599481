package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import java.time.LocalDateTime;
import java.util.Collection;

/** A row of the stock table: as it was read, and as the commands of a transaction have left it. */
public final class StockRow {
    /** So much that no sum can overflow. */
    public static final long MOST = 1_000_000_000_000_000L;

    private final Stock before;
    private final LocalDateTime readAt;
    private Stock now;

    /** A row that was read at that time, in UTC by the server's clock; the wait for its lock may have come after it. */
    StockRow(Stock before, LocalDateTime readAt) {
        this.before = before;
        this.readAt = readAt;
        now = before;
    }

    /** When rows were read. */
    static LocalDateTime readAt(Collection<StockRow> rows) {
        return rows.stream()
                .map(row -> row.readAt)
                .max(LocalDateTime::compareTo)
                .orElse(LocalDateTime.MIN);
    }

    public StockKey key() {
        return before.key();
    }

    public Stock before() {
        return before;
    }

    public Stock now() {
        return now;
    }

    boolean isChanged() {
        return now.version() != before.version();
    }

    /** Whether a change leaves what may be: nothing below zero, and no more reserved than there is. */
    boolean allows(long physical, long allocated) {
        long newPhysical = now.physical() + physical;
        long newAllocated = now.allocated() + allocated;
        return newAllocated >= 0 && newAllocated <= newPhysical && newPhysical <= MOST;
    }

    /** Becomes what a repair says. */
    Change repair(Change change) {
        now = change.after().withSafety(now.safety());
        return change;
    }

    Change change(long physical, long allocated) {
        Stock after = new Stock(key(), now.physical() + physical, now.allocated() + allocated, now.version() + 1);
        now = after.withSafety(now.safety());
        return new Change(physical, allocated, after);
    }

    Change setSafety(long quantity) {
        Change change = change(0, 0);
        now = now.withSafety(quantity);
        return change;
    }
}
