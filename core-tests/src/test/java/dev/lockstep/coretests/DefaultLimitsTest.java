package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a request waits and how long its lease lasts when neither was set (O4). */
@Timeout(300)
class DefaultLimitsTest {
    /** Records what the store is asked for. */
    private static final class RecordingStore extends StoreAround {
        private final MemoryStore inner;
        final List<StoreRequest> requests = new ArrayList<>();
        final List<Long> waits = new ArrayList<>();

        RecordingStore(MemoryStore inner) {
            super(inner);
            this.inner = inner;
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            requests.add(request);
            waits.add(request.deadline().remainingNanos());
            return inner.acquire(request);
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            return inner.renew(renewals);
        }

        @Override
        public boolean release(StoreGrant grant) {
            return inner.release(grant);
        }
    }

    private final FakeClock clock = new FakeClock();
    private final RecordingStore store = new RecordingStore(MemoryStore.on(clock));
    private final Locks locks = Locks.builder(store).build();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void aRequestWaitsOneSecondAndItsLeaseLastsTenSeconds() {
        locks.acquire(exclusive(Tenancy.user("u1"))).close();
        assertThat(store.waits).containsExactly(Duration.ofSeconds(1).toNanos());
        assertThat(store.requests).extracting(StoreRequest::term).containsExactly(Duration.ofSeconds(10));
    }

    @Test
    void theWaitIsForTheWholeCallAndNotForEachLock() {
        locks.acquire(exclusive(Tenancy.user("u1"), Tenancy.user("u2"), Tenancy.user("u3")))
                .close();
        assertThat(store.waits).containsExactly(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void theErrorComesAfterOneSecondAndNamesKeyAndHolder() {
        locks.acquireAsync(exclusive(Tenancy.user("u1")).as("holder")).join();
        CompletableFuture<?> waiting = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        locks.acquire(exclusive(Tenancy.user("u1")));
                    } catch (LockTimeoutException e) {
                        waiting.completeExceptionally(e);
                    }
                })
                .start();
        await().until(() -> locks.snapshot().waiters().size() == 1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(waiting)
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockTimeoutException.class)
                .withMessageContaining("after 1000 ms")
                .withMessageContaining("user:u1")
                .withMessageContaining("holder");
    }
}
