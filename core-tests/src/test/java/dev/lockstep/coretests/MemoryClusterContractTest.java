package dev.lockstep.coretests;

import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.ClusterContract;

/** In memory both processes are in this JVM and share the store. */
class MemoryClusterContractTest extends ClusterContract {
    private final MemoryStore store = MemoryStore.create();

    @Override
    protected LockStore createStore() {
        return store;
    }

    @Override
    protected LockStore secondStore() {
        return store;
    }
}
