package dev.lockstep.coretests;

import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.testkit.EpochRegisterContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("the contract of registers in memory")
class MemoryEpochsContractTest extends EpochRegisterContract {
    private final MemoryStore store = MemoryStore.create();

    @Override
    protected EpochRegister open() {
        return store.epochs("pair").orElseThrow();
    }

    @AfterEach
    void close() {
        store.close();
    }
}
