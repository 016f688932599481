package dev.lockstep.cli.store;

import dev.lockstep.core.spi.LockStore;

/** A store of a trial that can be made to lose its memory, as its server does in a restart. Only the trial uses it. */
public interface RestartableStore {
    /** The store as one more party has it. */
    LockStore store();

    /** Makes the server forget all leases of the trial's store, and of no other. */
    void restart();
}
