package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which threads an asynchronous request needs. */
@Timeout(300)
class AsyncThreadsTest {
    private static final LockKey KEY = Tenancy.user("u1");

    private final Locks locks = Locks.on(MemoryStore.on(new FakeClock()));

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void whatIsFreeInMemoryIsHadWhenTheFutureIsReturned() {
        CompletableFuture<Lease> future = locks.acquireAsync(exclusive(KEY));
        assertThat(future).isCompleted();
        future.join().close();
    }

    @Test
    void whatWasAttachedBeforeRunsNeitherOnTheReleasingThreadNorUnderALock() {
        Lease first = locks.acquire(exclusive(KEY));
        CompletableFuture<String> thread = locks.acquireAsync(exclusive(KEY)).thenApply(lease -> {
            lease.close();
            return Thread.currentThread().getName();
        });
        first.close();
        assertThat(thread.join()).startsWith("lockstep-callbacks");
    }
}
