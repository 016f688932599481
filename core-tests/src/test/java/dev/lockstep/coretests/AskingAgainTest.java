package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A holder that lost its lease, which the store keeps a margin longer, asks for the same again: it waits for itself. */
@Timeout(300)
class AskingAgainTest {
    private static final LockKey KEY = Tenancy.user("u1");
    private static final Duration TERM = Duration.ofSeconds(10);
    private static final Duration INTO_THE_MARGIN = Duration.ofMillis(9_950);
    private static final Duration REST = TERM.minus(INTO_THE_MARGIN);
    private static final Executor NEW_THREAD = task -> new Thread(task, "time").start();

    private final FakeClock clock = new FakeClock();
    private final Instant start = clock.instant();
    private final MemoryStore store = MemoryStore.on(new WatchersClock());
    private final EventProbe probe = new EventProbe();
    private final CountDownLatch watcherHasLooked = new CountDownLatch(1);
    private final CountDownLatch watcherMayLook = new CountDownLatch(1);
    private final Locks locks = Locks.builder(store).listener(probe).build();
    private final Lease lost = locks.acquire(exclusive(KEY).forTerm(TERM));

    /** The same clock, on which the watcher of the leases is slow. */
    private final class WatchersClock implements LockClock {
        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public long millis() {
            return clock.millis();
        }

        @Override
        public void park(Object blocker, long nanos) {
            if (Thread.currentThread().getName().startsWith("lockstep-watch")) {
                delayWatcher();
            }
            clock.park(blocker, nanos);
        }

        private void delayWatcher() {
            watcherHasLooked.countDown();
            try {
                watcherMayLook.await();
            } catch (InterruptedException e) {
                throw new AssertionError("The watcher is never interrupted", e);
            }
        }
    }

    @BeforeEach
    void letTheWatcherLookOnce() throws InterruptedException {
        watcherHasLooked.await();
    }

    @AfterEach
    void close() {
        watcherMayLook.countDown();
        locks.close();
    }

    private CompletableFuture<Void> endTheStoresTermWhenSoManyWait(int waiters) {
        return CompletableFuture.runAsync(
                () -> {
                    await().pollInterval(Duration.ofMillis(1))
                            .until(() -> store.snapshot().waiters().size() == waiters);
                    clock.advance(REST);
                },
                NEW_THREAD);
    }

    private Lease askAgain() {
        return locks.acquire(exclusive(KEY).within(Duration.ofSeconds(5)));
    }

    @Test
    void isGrantedWhenTheStoresTermIsOver() {
        clock.advance(INTO_THE_MARGIN);
        watcherMayLook.countDown();
        probe.await(LockEvent.Lost.class);
        isGrantedInTime();
    }

    @Test
    void isGrantedWhenTheStoresTermIsOverEvenIfTheLossWasNotNoticed() {
        clock.advance(INTO_THE_MARGIN);
        isGrantedInTime();
        assertThat(probe.ofType(LockEvent.Lost.class)).isEmpty();
    }

    private void isGrantedInTime() {
        assertThat(lost.isHeld()).isFalse();
        CompletableFuture<Void> time = endTheStoresTermWhenSoManyWait(1);
        Lease again = askAgain();
        time.join();
        assertThat(again.isHeld()).isTrue();
        assertThat(again.token()).isGreaterThan(lost.token());
        assertThat(clock.instant()).isEqualTo(start.plus(TERM));
        assertThat(probe.ofType(LockEvent.Deadlocked.class)).isEmpty();
    }

    @Test
    void isGrantedAfterThoseWhoWaitedBefore() {
        CompletableFuture<Lease> earlier = locks.acquireAsync(exclusive(KEY).within(Duration.ofMinutes(1)));
        CompletableFuture<Lease> earlierClosed = earlier.whenComplete((lease, error) -> {
            if (lease != null) {
                lease.close();
            }
        });
        clock.advance(INTO_THE_MARGIN);
        CompletableFuture<Void> time = endTheStoresTermWhenSoManyWait(2);
        Lease again = askAgain();
        time.join();
        assertThat(again.token())
                .isGreaterThan(
                        earlierClosed.orTimeout(60, TimeUnit.SECONDS).join().token());
        assertThat(probe.ofType(LockEvent.Deadlocked.class)).isEmpty();
    }
}
