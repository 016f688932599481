package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that was interrupted before it asks: what waits is refused, what doesn't wait works, and the flag stays. */
@Timeout(300)
class InterruptedThreadTest {
    private static final LockKey KEY = Tenancy.user("u1");

    private final MemoryStore store = MemoryStore.on(new FakeClock());
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
    void acquireIsRefusedEvenWhenItIsFree() {
        Thread.currentThread().interrupt();
        Throwable refusal = catchThrowable(() -> locks.acquire(exclusive(KEY)));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(refusal)
                .isInstanceOfSatisfying(
                        LockException.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.INTERRUPTED));
        assertThat(store.size()).isZero();
    }
}
