package dev.lockstep.coretests;

import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.LockStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The in-memory store against the contract in real time, as stores outside of the process run it. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class MemoryRealTimeContractTest extends LockStoreContract {
    @Override
    protected LockStore createStore() {
        return MemoryStore.create();
    }

    @Override
    protected Duration term() {
        return Duration.ofSeconds(1);
    }
}
