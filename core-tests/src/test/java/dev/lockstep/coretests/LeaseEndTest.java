package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.FaultyStore.Call;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Releases that fail, interrupts on a loss, and requests that fail without a thread. */
@Timeout(300)
class LeaseEndTest extends LeaseStage {
    // ---- releases that fail

    @Test
    void failingReleaseIsReportedAndRetriedButNeverThrown() {
        Lease lease =
                locks.acquire(exclusive(KEY).forTerm(Duration.ofHours(1))); // the clock is moved until the release
        store.failNext(Call.RELEASE, 2);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        probe.awaitCount(LockEvent.ReleaseFailed.class, 1);
        othersAreRefused();
        clock.advance(Duration.ofMillis(150));
        probe.awaitCount(LockEvent.ReleaseFailed.class, 2);
        await().until(() -> {
            clock.advance(Duration.ofMillis(50));
            return other.tryAcquire(exclusive(KEY)) instanceof Granted;
        });
        assertThat(store.calls(Call.RELEASE)).isEqualTo(3);
    }

    @Test
    void failingReleaseDoesNotHideTheTasksOwnError() {
        IllegalStateException own = new IllegalStateException("the task's own");
        store.failNext(Call.RELEASE, 1);
        assertThatThrownBy(() -> locks.run(exclusive(KEY), lease -> {
                    throw own;
                }))
                .isSameAs(own);
    }

    @Test
    void failingReleaseDoesNotStopTheOthers() {
        Lease outer = renewed();
        Lease inner = locks.acquire(exclusive(OTHER_KIND));
        store.failNext(Call.RELEASE, 1);
        inner.close();
        outer.close();
        assertThat(other.tryAcquire(exclusive(KEY))).isInstanceOf(Granted.class);
    }

    // ---- interrupts

    @Test
    void lossInterruptsTheThreadThatAsked() {
        CompletableFuture<Lease> taken = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread worker = new Thread(() -> {
            taken.complete(locks.acquire(exclusive(KEY).forTerm(TERM).interruptOnLoss()));
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.complete(taken.join().isHeld());
            }
        });
        worker.start();
        taken.join();
        clock.advance(TERM);
        assertThat(interrupted.join()).isFalse();
    }

    @Test
    void lossNeverInterruptsAfterClose() {
        Lease lease = locks.acquire(exclusive(KEY).forTerm(TERM).interruptOnLoss());
        lease.close();
        clock.advance(TERM);
        other.acquire(exclusive(KEY)).close();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    // ---- asynchronous requests

    @Test
    @DisplayName("an asynchronous request that the store refuses at once is reported as failed")
    void asyncFailureIsReported() {
        memory.close();
        assertThatThrownBy(() -> other.acquireAsync(exclusive(KEY)).join()).isNotNull();
        otherProbe.await(LockEvent.AcquireFailed.class);
    }
}
