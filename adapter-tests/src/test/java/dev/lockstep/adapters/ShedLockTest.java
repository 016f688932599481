package dev.lockstep.adapters;

import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** ShedLock's contract in memory. */
@Execution(ExecutionMode.CONCURRENT)
class ShedLockTest extends ShedLockContract {
    private final LockStore memory = MemoryStore.create();

    @Override
    LocksBuilder place() {
        return Locks.builder(memory).leaveStoreOpen();
    }
}
