package dev.lockstep.coretests;

import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.LockStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** A pair of which nothing fails is a store like any other. */
@Tag("once")
class FallbackContractTest extends LockStoreContract {
    private static final Duration LONG = Duration.ofHours(1); // the tests move the clock by more than the usual terms

    private final FakeClock clock = new FakeClock();

    @Override
    protected LockStore createStore() {
        return FallbackStore.of(MemoryStore.on(clock), MemoryStore.on(clock))
                .epochTerm(LONG)
                .longestTerm(LONG);
    }

    @Override
    protected void letTimePass(Duration time) {
        clock.advance(time);
    }
}
