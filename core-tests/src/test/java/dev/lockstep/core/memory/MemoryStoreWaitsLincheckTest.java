package dev.lockstep.core.memory;

import dev.lockstep.core.Estate;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Scale;
import dev.lockstep.core.spi.StoreGrant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests that wait, in every interleaving that the model checker tries: nobody fails, nobody waits for ever, and under the
 * locks a plain counter loses nothing.
 */
@DisplayName("waiting in the in-memory store")
@Tag("slow")
@Tag("once") // the model checker runs one thread at a time: whose JDK it is makes no difference
@Param(name = "thread", gen = ThreadIdGen.class)
@Param(name = "thing", gen = IntGen.class, conf = "0:3")
public class MemoryStoreWaitsLincheckTest {
    private static final LockKey USER = Estate.USER.key("u");
    private static final LockKey ACCOUNT = USER.child(Estate.ACCOUNT, "a");
    private static final LockKey ITEM = Estate.ITEM.key("i");
    private static final List<LockRequest> THINGS = List.of(
            LockRequest.exclusive(USER),
            LockRequest.exclusive(ACCOUNT),
            LockRequest.exclusive(ITEM, ACCOUNT),
            LockRequest.exclusive(USER).andShared(ITEM));

    private final MemoryStore store = MemoryStore.on(StandingClock.INSTANCE);
    private int counter;

    /** An empty store. */
    public MemoryStoreWaitsLincheckTest() {}

    /** All things that can be asked for exclude each other, so this counts as if it were atomic. */
    @Operation
    public int use(@Param(name = "thread") int thread, @Param(name = "thing") int thing) throws InterruptedException {
        Asking request = Asking.patiently(thread, THINGS.get(thing), StandingClock.INSTANCE);
        StoreGrant grant = (StoreGrant) store.acquire(request);
        int seen = counter;
        counter = seen + 1;
        store.release(grant);
        return seen;
    }

    @Test
    @DisplayName("in every interleaving that the model checker tries")
    void modelChecking() {
        ModelChecking.options()
                .iterations(Scale.pick(1, 1, 20))
                .invocationsPerIteration(Scale.pick(100, 100, 2_000))
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .sequentialSpecification(Spec.class)
                .check(MemoryStoreWaitsLincheckTest.class);
    }

    /** A counter. */
    public static class Spec {
        private int counter;

        /** See the operation of the same name. */
        public int use(int thread, int thing) {
            return counter++;
        }
    }

    /** Time stands still; who waits waits until it is woken. */
    enum StandingClock implements LockClock {
        INSTANCE;

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long millis() {
            return 0;
        }

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.park(blocker);
        }
    }
}
