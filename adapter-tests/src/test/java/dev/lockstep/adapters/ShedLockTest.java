package dev.lockstep.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.shedlock.LockstepLockProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
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

    @Test
    void aReleaseThatTakesLongDelaysNoOther() {
        CountDownLatch end = new CountDownLatch(1);
        try (Locks locks = Locks.on(new SlowRelease(MemoryStore.create(), end))) {
            LockstepLockProvider provider = LockstepLockProvider.on(locks, Job.KIND);
            assertThat(provider.lock(lockConfig("first", Duration.ofMillis(20), Duration.ZERO)))
                    .isPresent();
            assertThat(provider.lock(lockConfig("second", Duration.ofMillis(40), Duration.ZERO)))
                    .isPresent();
            await().until(() -> provider.lock(lockConfig("second")).isPresent());
            end.countDown();
        }
    }

    /** A store in which the first release takes until the end. */
    private static final class SlowRelease extends StoreAround {
        private final LockStore inner;
        private final CountDownLatch end;
        private final AtomicBoolean first = new AtomicBoolean(true);

        SlowRelease(LockStore inner, CountDownLatch end) {
            super(inner);
            this.inner = inner;
            this.end = end;
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            return inner.acquire(request);
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            return inner.renew(renewals);
        }

        @Override
        public boolean release(StoreGrant grant) {
            if (first.getAndSet(false)) {
                awaitEnd();
            }
            return inner.release(grant);
        }

        private void awaitEnd() {
            try {
                assertThat(end.await(2, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
