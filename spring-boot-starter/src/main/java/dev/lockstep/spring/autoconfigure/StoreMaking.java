package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.StoreDoctor;

/** Makes what the configuration describes: one store, or a pair of them. */
interface StoreMaking {
    /** The store, after it was examined: what would fail at the first lock fails now. */
    LockStore open(Kinds kinds);

    /** Who looks after the store that was opened. */
    StoreDoctor doctor(LockStore opened);
}
