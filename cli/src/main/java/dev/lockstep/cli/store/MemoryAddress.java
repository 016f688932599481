package dev.lockstep.cli.store;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

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
    public Optional<String> whyNothingToProvision() {
        return Optional.of("Locks in memory need no rows: there is nothing to provision.");
    }

    @Override
    public Scratch scratch(String id, LockKind... kinds) {
        LockStore shared = MemoryStore.create(); // in memory there is no other way to meet
        return new Scratch() {
            @Override
            public String where() {
                return "the memory of this process";
            }

            @Override
            public Set<StoreTrait> traits() {
                return shared.traits();
            }

            @Override
            public LockStore store() {
                return shared;
            }

            @Override
            public LocksBuilder party(UnaryOperator<LockStore> around) {
                return Locks.builder(around.apply(shared)).leaveStoreOpen();
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
