package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that was interrupted before it asks is granted what is free, waits for nothing unless told to, and stays interrupted. */
@Timeout(300)
class InterruptedThreadTest {
    private static final LockKey KEY = Tenancy.user("u1");

    private final FakeClock clock = new FakeClock();
    private final MemoryStore store = MemoryStore.on(clock);
    private final Locks locks = Locks.on(store);

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
    }

    @Test
    void tryAcquireTakesWhatIsFree() {
        Thread.currentThread().interrupt();
        Attempt attempt = locks.tryAcquire(exclusive(KEY));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(attempt)
                .isInstanceOfSatisfying(
                        Granted.class,
                        granted -> assertThat(granted.lease().release()).isEqualTo(ReleaseOutcome.RELEASED));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(store.size()).isZero();
    }

    @Test
    void tryAcquireAnswersWhoIsInTheWay() {
        Lease held = locks.acquireAsync(exclusive(KEY)).join();
        Thread.currentThread().interrupt();
        assertThat(locks.tryAcquire(exclusive(KEY))).isInstanceOf(Busy.class);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        held.close();
    }

    @Test
    void acquireTakesWhatIsFree() {
        Thread.currentThread().interrupt();
        try (Lease lease = locks.acquire(exclusive(KEY))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        assertThat(store.size()).isZero();
    }

    @Test
    void acquireDoesNotWait() {
        Lease held = locks.acquireAsync(exclusive(KEY)).join();
        Thread.currentThread().interrupt();
        Throwable refusal = catchThrowable(() -> locks.acquire(exclusive(KEY)));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(refusal)
                .isInstanceOfSatisfying(
                        LockException.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.INTERRUPTED));
        held.close();
        assertThat(store.size()).isZero();
    }

    @Test
    void uninterruptibleAcquireKeepsItsPlaceAndTheFlag() throws Exception {
        Lease held = locks.acquireAsync(exclusive(KEY)).join();
        CompletableFuture<Boolean> interruptedAtGrant = new CompletableFuture<>();
        CountDownLatch done = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            try (Lease lease = locks.acquire(exclusive(KEY).withoutLimit().uninterruptibly())) {
                interruptedAtGrant.complete(
                        lease.isHeld() && Thread.currentThread().isInterrupted());
            } catch (RuntimeException e) {
                interruptedAtGrant.completeExceptionally(e);
            }
            done.countDown();
        });
        waiting.start();
        await().until(() -> store.snapshot().waiters().size() == 1);
        CompletableFuture<Lease> behind = locks.acquireAsync(exclusive(KEY).withoutLimit());
        waiting.interrupt();
        waiting.join(50); // time to leave the queue, if an interrupt made it
        assertThat(store.snapshot().waiters()).hasSize(2);
        held.close();
        assertThat(interruptedAtGrant.get()).isTrue();
        done.await();
        behind.get().close();
    }

    @Test
    void uninterruptibleAcquireEndsWithItsTimeAndWithTheLocks() {
        Lease held = locks.acquireAsync(exclusive(KEY)).join();
        Thread.currentThread().interrupt();
        CompletableFuture<Void> passing = CompletableFuture.runAsync(() -> {
            await().until(() -> store.snapshot().waiters().size() == 1);
            clock.advance(Duration.ofSeconds(2));
        });
        assertThat(catchThrowable(() -> locks.acquire(
                        exclusive(KEY).within(Duration.ofSeconds(1)).uninterruptibly())))
                .isInstanceOf(LockTimeoutException.class);
        assertThat(Thread.interrupted()).isTrue();
        passing.join();
        held.close();
    }
}
