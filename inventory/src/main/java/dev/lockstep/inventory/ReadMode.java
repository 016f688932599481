package dev.lockstep.inventory;

import dev.lockstep.core.Deadline;

/**
 * How rows are read.
 *
 * @param locks whether they are locked until the commit
 * @param skips whether rows that others have locked are left out
 * @param seconds how long to wait for locks of others; zero for no limit
 */
record ReadMode(boolean locks, boolean skips, int seconds) {
    /** As they are, without a lock, and not to be written. */
    static final ReadMode PLAIN = new ReadMode(false, false, 0);

    /** Under the row's lock, without those that others have locked: it never waits. */
    static final ReadMode SKIPPING = new ReadMode(true, true, 0);

    /** As they are, without a lock: they may be changed before they are written, and that may have to wait for others. */
    static ReadMode unlocked(Deadline deadline) {
        return new ReadMode(false, false, seconds(deadline));
    }

    /** Under the row's lock. */
    static ReadMode locked(Deadline deadline) {
        return new ReadMode(true, false, seconds(deadline));
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
