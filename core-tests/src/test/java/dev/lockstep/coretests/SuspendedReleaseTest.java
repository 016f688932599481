package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** After a suspend the monotonic clock has not moved, and the last reading of the wall clock still looks recent. */
class SuspendedReleaseTest {
    private final FakeClock clock = new FakeClock();
    private final long before = clock.millis();
    private final CountDownLatch closed = new CountDownLatch(1);

    private final class SuspendedClock implements LockClock {
        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public long millis() {
            return clock.millis();
        }

        @Override
        public long recentMillis(long nanos) {
            return before;
        }

        /** The watcher does not wake up before the lease is closed. */
        @Override
        public void park(Object blocker, long nanos) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new AssertionError("No thread here is interrupted", e);
            }
            clock.park(blocker, nanos);
        }
    }

    @Test
    void aLeaseThatAnExpiredOneCoversIsReportedLost() {
        try (Locks locks = Locks.builder(MemoryStore.on(new SuspendedClock())).build()) {
            Lease outer = locks.acquire(exclusive(Tenancy.user("u")).forTerm(Duration.ofMinutes(1)));
            Lease nested = locks.acquire(exclusive(Tenancy.user("u")));
            clock.suspend(Duration.ofHours(1));
            assertThat(nested.release()).isEqualTo(ReleaseOutcome.LOST);
            assertThat(outer.isHeld()).isFalse();
            closed.countDown(); // or the locks could not be closed
        } finally {
            closed.countDown();
        }
    }
}
