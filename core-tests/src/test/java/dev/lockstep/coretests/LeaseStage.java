package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** Leases on moved clocks and a store that fails. Terms are 10 s, renewed at a third of it. */
abstract class LeaseStage {
    static final LockKey KEY = Tenancy.user("u1");
    static final LockKey OTHER_KIND = new Job().key("j1");
    static final Duration TERM = Duration.ofSeconds(10);
    static final Duration UNTIL_RENEWAL = Duration.ofMillis(3_400);

    record Job() implements LockKind {
        @Override
        public String prefix() {
            return "job";
        }

        @Override
        public int rank() {
            return 9;
        }
    }

    final FakeClock clock = new FakeClock();
    final MemoryStore memory = MemoryStore.on(clock);
    final FaultyStore store = FaultyStore.around(memory);
    final EventProbe probe = new EventProbe();
    final Locks locks = Locks.builder(store).listener(probe).build();
    final EventProbe otherProbe = new EventProbe();
    final Locks other =
            Locks.builder(memory).listener(otherProbe).leaveStoreOpen().build();

    @AfterEach
    final void close() {
        store.heal();
        other.close();
        locks.close();
    }

    final Lease fixed() {
        return locks.acquire(exclusive(KEY).forTerm(TERM));
    }

    final Lease renewed() {
        return locks.acquire(exclusive(KEY));
    }

    final void othersAreRefused() {
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
    }

    static Loss.Reason reasonOf(Lease lease) {
        return lease.lost()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join()
                .reason();
    }
}
