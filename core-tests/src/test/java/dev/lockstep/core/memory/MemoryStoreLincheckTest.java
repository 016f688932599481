package dev.lockstep.core.memory;

import dev.lockstep.core.Estate;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Scale;
import dev.lockstep.core.spi.StoreGrant;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The engine's answers to requests that don't wait are those of some order of the requests, one after the other. */
@DisplayName("the in-memory store is linearizable")
@Tag("slow")
@Tag("once")
@Param(name = "thread", gen = ThreadIdGen.class)
@Param(name = "thing", gen = IntGen.class, conf = "0:3")
public class MemoryStoreLincheckTest {
    private static final int SLOTS = 8;
    private static final LockKey USER = Estate.USER.key("u");
    private static final LockKey ACCOUNT = USER.child(Estate.ACCOUNT, "a");
    private static final List<LockKey> THINGS =
            List.of(USER, ACCOUNT, ACCOUNT.child(Estate.RESOURCE, "r"), USER.child(Estate.ACCOUNT, "b"));

    private final MemoryStore store = MemoryStore.on(StandingClock.INSTANCE);
    private final StoreGrant[] held = new StoreGrant[SLOTS];

    /** The store and this test's memory of what each thread holds. */
    public MemoryStoreLincheckTest() {}

    /** Takes one thing if it is free; a thread has one thing at a time. */
    @Operation
    public boolean tryAcquire(@Param(name = "thread") int thread, @Param(name = "thing") int thing, boolean exclusive)
            throws InterruptedException {
        if (held[thread] != null) {
            return false;
        }
        LockKey key = THINGS.get(thing);
        LockRequest request = exclusive ? LockRequest.exclusive(key) : LockRequest.shared(key);
        if (store.acquire(Asking.once(thread, request, StandingClock.INSTANCE)) instanceof StoreGrant grant) {
            held[thread] = grant;
            return true;
        }
        return false;
    }

    /** Gives it back. */
    @Operation
    public boolean release(@Param(name = "thread") int thread) {
        StoreGrant grant = held[thread];
        held[thread] = null;
        return grant != null && store.release(grant);
    }

    /** Makes it shared. */
    @Operation
    public boolean downgrade(@Param(name = "thread") int thread) {
        StoreGrant grant = held[thread];
        if (grant != null) {
            store.downgrade(grant);
        }
        return grant != null;
    }

    @Test
    @DisplayName("in every interleaving that the model checker tries")
    void modelChecking() {
        ModelChecking.options()
                .iterations(Scale.pick(1, 1, 60))
                .invocationsPerIteration(Scale.pick(80, 80, 600))
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(0)
                .sequentialSpecification(Spec.class)
                .check(MemoryStoreLincheckTest.class);
    }

    @Test
    @DisplayName("under stress")
    void stress() {
        new StressOptions()
                .invocationTimeout$lincheck(ModelChecking.HANGS_AFTER_MILLIS)
                .iterations(Scale.pick(3, 3, 100))
                .invocationsPerIteration(Scale.pick(500, 500, 5_000))
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(0)
                .sequentialSpecification(Spec.class)
                .check(MemoryStoreLincheckTest.class);
    }

    /** The meaning of shared and exclusive, one call after the other. */
    public static class Spec {
        private final List<Held> all = new ArrayList<>();

        private record Held(int thread, LockKey key, boolean exclusive) {
            boolean meets(LockKey other, boolean otherExclusive) {
                boolean related = key.equals(other) || key.isAncestorOf(other) || other.isAncestorOf(key);
                return related && (exclusive || otherExclusive);
            }
        }

        /** See the operation of the same name. */
        public boolean tryAcquire(int thread, int thing, boolean exclusive) {
            LockKey key = THINGS.get(thing);
            if (all.stream().anyMatch(each -> each.thread == thread || each.meets(key, exclusive))) {
                return false;
            }
            return all.add(new Held(thread, key, exclusive));
        }

        /** See the operation of the same name. */
        public boolean downgrade(int thread) {
            all.replaceAll(each -> each.thread == thread ? new Held(thread, each.key, false) : each);
            return all.stream().anyMatch(each -> each.thread == thread);
        }

        /** See the operation of the same name. */
        public boolean release(int thread) {
            return all.removeIf(each -> each.thread == thread);
        }
    }

    /** Time stands still. */
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
            throw new IllegalStateException("nobody waits here");
        }
    }
}
