package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.StoreDoctor;
import java.util.List;

/** Locks in this process. */
final class MemoryStoreFactory implements StoreFactory {
    private static final Diagnosis ALWAYS_WELL = new Diagnosis(
            List.of(Finding.ok("Locks are in the memory of this process.", "They exclude nothing outside of it.")));

    @Override
    public boolean makes(StoreType type) {
        return type == StoreType.MEMORY;
    }

    @Override
    public LockStore open(StoreType type, Kinds kinds) {
        return MemoryStore.create();
    }

    @Override
    public StoreDoctor doctor(StoreType type) {
        return () -> ALWAYS_WELL;
    }
}
