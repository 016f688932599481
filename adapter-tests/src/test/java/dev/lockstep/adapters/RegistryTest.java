package dev.lockstep.adapters;

import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;

/** The registry in memory. */
class RegistryTest extends RegistryContract {
    private final LockStore memory = MemoryStore.create();

    @Override
    LocksBuilder place() {
        return Locks.builder(memory).leaveStoreOpen();
    }
}
