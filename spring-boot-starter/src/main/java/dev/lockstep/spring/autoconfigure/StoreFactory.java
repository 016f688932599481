package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.StoreDoctor;

/** Makes the stores that are in one jar. There is a bean of this type for each jar that is there. */
interface StoreFactory {
    boolean makes(StoreType type);

    /** The store, with whatever it needs for these kinds. */
    LockStore open(StoreType type, Kinds kinds);

    StoreDoctor doctor(StoreType type);
}
