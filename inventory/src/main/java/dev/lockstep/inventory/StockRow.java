package dev.lockstep.inventory;

/** A row of the stock table: as it was read, and as the commands of a transaction have left it. */
final class StockRow {
    /** So much that no sum can overflow. */
    static final long MOST = 1_000_000_000_000_000L;

    private final Stock before;
    private Stock now;

    StockRow(Stock before) {
        this.before = before;
        now = before;
    }

    StockKey key() {
        return before.key();
    }

    Stock before() {
        return before;
    }

    Stock now() {
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

    Change change(long physical, long allocated) {
        now = new Stock(key(), now.physical() + physical, now.allocated() + allocated, now.version() + 1);
        return new Change(physical, allocated, now);
    }
}
