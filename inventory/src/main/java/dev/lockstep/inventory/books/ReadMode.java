package dev.lockstep.inventory.books;

import dev.lockstep.core.Deadline;
import dev.lockstep.inventory.StockKey;
import java.util.Optional;

/**
 * How rows are read.
 *
 * @param locks whether they are locked until the commit
 * @param skips whether rows that others have locked are left out
 * @param seconds how long to wait for locks of others; zero for no limit
 * @param first the only row that is waited for, before any other is locked
 * @param brief whether the wait may end long before the deadlines of the commands
 */
public record ReadMode(boolean locks, boolean skips, int seconds, Optional<StockKey> first, boolean brief) {
    /** As they are, without a lock, and not to be written. */
    public static final ReadMode PLAIN = new ReadMode(false, false, 0, Optional.empty(), false);

    /** Under the row's lock, without those that others have locked: it never waits. */
    public static final ReadMode SKIPPING = new ReadMode(true, true, 0, Optional.empty(), false);

    /** As they are, without a lock: they may be changed before they are written, and that may have to wait for others. */
    public static ReadMode unlocked(Deadline deadline) {
        return new ReadMode(false, false, seconds(deadline), Optional.empty(), false);
    }

    /** Under the row's lock. */
    public static ReadMode locked(Deadline deadline) {
        return new ReadMode(true, false, seconds(deadline), Optional.empty(), false);
    }

    /** Under the locks of rows that are waited for in their order, each for a second at most. */
    public static ReadMode lockedBriefly() {
        return new ReadMode(true, false, 1, Optional.empty(), true);
    }

    /** Under the row's lock: waits for the lock of one row while it has no other, and then leaves out those that others have locked. */
    public static ReadMode lockedFirst(StockKey row, Deadline deadline) {
        return new ReadMode(true, true, seconds(deadline), Optional.of(row), false);
    }

    /** How its first row is read. */
    ReadMode ofFirst() {
        return new ReadMode(true, false, seconds, Optional.empty(), false);
    }

    /** In whole seconds, as JDBC has it. */
    private static int seconds(Deadline deadline) {
        return (int) Math.max(1, deadline.remaining().plusMillis(999).toSeconds());
    }

    /** Rows that are locked are written without a wait. */
    int secondsToWrite() {
        return locks ? 0 : seconds;
    }
}
