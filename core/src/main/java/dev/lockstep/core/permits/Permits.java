package dev.lockstep.core.permits;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.time.Duration;

/**
 * Permits of a key: at most {@link #count} are held at a time, by all processes of the store together. Created by {@link Locks#permits}; keep it in a
 * field, so that requests of one process are served in order.
 *
 * <p>A permit is a {@link Lease}: renewed until it is closed, lost if it can't be confirmed in time, and free again when its holder crashes. It belongs
 * to no thread, and is no part of the lock order: request permits before locks. A thread that waits for a permit while it holds another of the same key
 * may wait for itself.
 *
 * <p>Where a key has several permits, one that is released within 20 ms of its grant may be passed on to the next request of the same process without a call
 * to the store. The next lease then has the same token and term, and snapshots show the first holder. The token of a key's only permit rises with each holder.
 */
public interface Permits {
    /** The most permits that a key can have. */
    int MOST = 1_000;

    /** The key whose permits they are. */
    LockKey key();

    /** How many there are, as this process last read it: at most five seconds ago if it has used them since. */
    int count();

    /**
     * Acquires a permit, and waits for one for the default time if necessary.
     *
     * @throws dev.lockstep.core.LockTimeoutException if none was free in time
     * @throws dev.lockstep.core.LockException for the reasons of {@link Locks#acquire}
     */
    Lease acquire();

    /**
     * Acquires a permit, and waits at most this long.
     *
     * @throws dev.lockstep.core.LockTimeoutException if none was free in time
     * @throws dev.lockstep.core.InvalidRequestException if the time is not positive
     * @throws dev.lockstep.core.LockException for the reasons of {@link Locks#acquire}
     */
    Lease acquire(Duration within);

    /**
     * Acquires a permit if one is free and no request of this process waits for one.
     *
     * @throws dev.lockstep.core.LockException for the reasons of {@link Locks#tryAcquire}
     */
    Attempt tryAcquire();

    /**
     * Runs a task while holding a permit.
     *
     * @throws dev.lockstep.core.LeaseLostException if the permit was lost before the task ended, even if the task succeeded
     * @throws dev.lockstep.core.LockException for the reasons of {@link #acquire()}; the task was not run
     * @throws X what the task throws
     */
    <X extends Exception> void run(Locks.LeaseTask<X> task) throws X;

    /**
     * Changes the number of permits for all processes. This one uses it at once, the others within five seconds. Where it becomes smaller, holders keep
     * their permits until they release them; until then more may be held than the new number, but never more than the old one.
     *
     * @throws dev.lockstep.core.InvalidRequestException if the number is not between 1 and {@link #MOST}
     * @throws dev.lockstep.core.LockException if another process changed it meanwhile, or the store can't be reached; nothing was changed
     */
    void resize(int count);
}
