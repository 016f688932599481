package dev.lockstep.coretests;

import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.LockStoreContract;
import java.time.Duration;

/** The in-memory store against the contract, on a clock that the tests move. */
class MemoryContractTest extends LockStoreContract {
    private final FakeClock clock = new FakeClock();

    @Override
    protected LockStore createStore() {
        return MemoryStore.on(clock);
    }

    @Override
    protected void letTimePass(Duration time) {
        clock.advance(time);
    }
}
