package dev.lockstep.inventory;

import dev.lockstep.core.Deadline;

/**
 * How rows are read.
 *
 * @param locks whether they are locked until the commit
 * @param seconds how long to wait for the lock
 */
record Reading(boolean locks, int seconds) {
    /** As they are, without a lock: they may be changed before the commit. */
    static final Reading PLAIN = new Reading(false, 0);

    /** Under the row's lock. The wait is in whole seconds, as JDBC has it. */
    static Reading locked(Deadline deadline) {
        return new Reading(
                true, (int) Math.max(1, deadline.remaining().plusMillis(999).toSeconds()));
    }
}
