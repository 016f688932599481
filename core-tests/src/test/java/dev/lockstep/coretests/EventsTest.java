package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class EventsTest {
    private static final LockKey KEY = Tenancy.user("u1");

    private static Locks locksWith(LockListener... listeners) {
        var builder = Locks.builder(MemoryStore.on(new FakeClock())); // on which no lease ends or is renewed
        for (LockListener listener : listeners) {
            builder.listener(listener);
        }
        return builder.build();
    }

    private static void lockAndRelease(Locks locks, int times) {
        for (int i = 0; i < times; i++) {
            locks.acquire(exclusive(KEY)).close();
        }
    }

    @Test
    void tellsTheStoryOfALease() {
        EventProbe probe = new EventProbe();
        try (Locks locks = locksWith(probe)) {
            locks.acquire(exclusive(KEY).as("me")).close();
            probe.awaitCount(LockEvent.Released.class, 1);
        }
        assertThat(probe.events()).hasExactlyElementsOfTypes(LockEvent.Acquired.class, LockEvent.Released.class);
        LockEvent.Subject subject = probe.await(LockEvent.Acquired.class).subject();
        assertThat(subject.owner()).isEqualTo("me");
        assertThat(subject.keys()).containsExactly(KEY);
        assertThat(subject.store()).isEqualTo("memory");
        assertThat(probe.await(LockEvent.Released.class).subject()).isEqualTo(subject);
    }

    @Test
    void throwingListenerHasNoEffectOnOthers() {
        AtomicInteger thrown = new AtomicInteger();
        EventProbe probe = new EventProbe();
        LockListener throwing = event -> {
            thrown.incrementAndGet();
            throw new IllegalStateException("a listener's own, on purpose");
        };
        try (Locks locks = locksWith(throwing, probe)) {
            lockAndRelease(locks, 3);
            probe.awaitCount(LockEvent.Released.class, 3);
            await().until(() -> thrown.get() == 6);
        }
    }

    @Test
    void blockingListenerHasNoEffectOnOthersAndLearnsWhatItMissed() {
        CountDownLatch blocked = new CountDownLatch(1);
        AtomicLong told = new AtomicLong();
        AtomicLong dropped = new AtomicLong();
        EventProbe probe = new EventProbe();
        LockListener blocking = event -> {
            awaitQuietly(blocked);
            if (event instanceof LockEvent.Dropped missed) {
                dropped.addAndGet(missed.count());
            } else {
                told.incrementAndGet();
            }
        };
        AtomicInteger heard = new AtomicInteger();
        try (Locks locks = locksWith(blocking, event -> heard.incrementAndGet())) {
            lockAndRelease(locks, 10_000);
            await().atMost(Duration.ofSeconds(60)).until(() -> heard.get() > 1_000);
            locks.subscribe(probe);
            locks.acquire(exclusive(KEY)).close();
            probe.await(LockEvent.Released.class);
            blocked.countDown();
            await().atMost(Duration.ofSeconds(60)).until(() -> told.get() + dropped.get() == 20_002);
        }
        assertThat(dropped.get()).isPositive();
        assertThat(told.get()).isPositive();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void endedSubscriptionHearsNothingMore() {
        EventProbe ended = new EventProbe();
        EventProbe probe = new EventProbe();
        try (Locks locks = locksWith(probe)) {
            Locks.Subscription subscription = locks.subscribe(ended);
            lockAndRelease(locks, 1);
            ended.awaitCount(LockEvent.Released.class, 1);
            subscription.close();
            lockAndRelease(locks, 1);
            probe.awaitCount(LockEvent.Released.class, 2);
        }
        assertThat(ended.events()).hasSize(2);
    }

    @Test
    void nothingIsReportedAfterTheLastListenerLeft() {
        EventProbe ended = new EventProbe();
        EventProbe probe = new EventProbe();
        try (Locks locks = locksWith()) {
            Locks.Subscription subscription = locks.subscribe(ended);
            lockAndRelease(locks, 1);
            ended.awaitCount(LockEvent.Released.class, 1);
            subscription.close();
            lockAndRelease(locks, 1);
            locks.subscribe(probe);
            lockAndRelease(locks, 1);
            probe.awaitCount(LockEvent.Released.class, 1);
        }
        assertThat(ended.events()).hasSize(2);
        assertThat(probe.events()).hasSize(2);
    }

    @Test
    void timeHeldCountsFromTheGrantAndNotFromTheRequestOrARenewal() {
        FakeClock clock = new FakeClock();
        EventProbe probe = new EventProbe();
        try (Locks locks = Locks.builder(MemoryStore.on(clock)).listener(probe).build()) {
            Lease blocker = locks.acquire(exclusive(KEY));
            CompletableFuture<Lease> waiting =
                    locks.acquireAsync(exclusive(KEY).as("waiter").within(Duration.ofMinutes(1)));
            clock.advance(Duration.ofSeconds(3));
            blocker.close();
            Lease lease = waiting.join();
            clock.advance(Duration.ofSeconds(4));
            probe.await(LockEvent.Renewed.class);
            lease.close();
            LockEvent.Released released = probe.await(
                    LockEvent.Released.class, event -> event.subject().owner().equals("waiter"));
            assertThat(released.held()).isEqualTo(Duration.ofSeconds(4));
        }
    }

    @Test
    void listenerThatLeavesAnInterruptBehindGetsTheRest() {
        AtomicInteger told = new AtomicInteger();
        LockListener interrupting = event -> {
            told.incrementAndGet();
            Thread.currentThread().interrupt();
        };
        try (Locks locks = locksWith(interrupting)) {
            lockAndRelease(locks, 5);
            await().until(() -> told.get() == 10);
        }
    }
}
