package dev.lockstep.cli.store;

import dev.lockstep.core.Diagnosis;
import dev.lockstep.core.Finding;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import java.util.List;

/** The memory of this process. */
public record MemoryAddress() implements StoreAddress {
    @Override
    public LockStore open() {
        return MemoryStore.create();
    }

    @Override
    public Diagnosis examine() {
        return new Diagnosis(List.of(
                Finding.ok("Locks in memory need no server.", "They hold inside one process, and end with it.")));
    }

    @Override
    public Scratch scratch(LockKind... kinds) {
        LockStore shared = MemoryStore.create(); // in memory there is no other way to meet
        return new Scratch() {
            @Override
            public String where() {
                return "the memory of this process";
            }

            @Override
            public LocksBuilder party() {
                return Locks.builder(shared).leaveStoreOpen();
            }

            @Override
            public void close() {
                shared.close();
            }
        };
    }

    @Override
    public String toString() {
        return "memory";
    }
}
