package dev.lockstep.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Estate;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Scale;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("corners of the in-memory store")
@Timeout(120)
class MemoryStoreCornersStressTest {
    private static final LockKey USER = Estate.USER.key("u");
    private static final LockKey ACCOUNT = USER.child(Estate.ACCOUNT, "a");

    @Test
    @DisplayName("what hangs on one request's future may cancel another request")
    void cancelInACallback() throws Exception {
        MovedClock clock = new MovedClock();
        MemoryStore store = MemoryStore.on(clock);
        StoreGrant held = (StoreGrant) store.acquire(Asking.once(1, LockRequest.exclusive(USER), clock));
        CompletableFuture<StoreAnswer> one = ask(store, Asking.patiently(2, LockRequest.shared(USER), clock));
        CompletableFuture<StoreAnswer> two = ask(store, Asking.patiently(3, LockRequest.shared(USER), clock));
        CompletableFuture<Boolean> cancelled = one.thenApply(answer -> two.cancel(true));
        Thread releasing = new Thread(() -> store.release(held));
        releasing.setDaemon(true);
        releasing.start();
        releasing.join(60_000);
        assertThat(releasing.isAlive()).as("the release has not come back").isFalse();
        assertThat(cancelled).isDone();
    }

    private static CompletableFuture<StoreAnswer> ask(MemoryStore store, Asking asking) {
        return store.acquireAsync(asking, Runnable::run);
    }

    @Test
    @DisplayName("a lock that is just being granted isn't shown as held since the store was made")
    void sinceWhenItIsGranted() throws Exception {
        MovedClock clock = new MovedClock();
        MemoryStore store = MemoryStore.on(clock);
        clock.moveTo(clock.nanos() + Duration.ofHours(1).toNanos());
        long now = clock.millis();
        List<Long> seen = new ArrayList<>();
        AtomicReference<Runnable> look = new AtomicReference<>(() -> {});
        Asking asking = new Asking(
                clock, 1, 1, LockRequest.exclusive(ACCOUNT), Duration.ZERO, Duration.ofDays(1), List.of(), look);
        look.set(() ->
                store.snapshot().holders().forEach(held -> seen.add(held.since().toEpochMilli())));
        assertThat(store.acquire(asking)).isInstanceOf(StoreGrant.class);
        assertThat(seen).allMatch(since -> since == now);
    }

    @Test
    @DisplayName("an expired lease refuses no request, not even while its locks are being removed")
    void expiredLeaseRefusesNone() throws Exception {
        MovedClock clock = new MovedClock();
        MemoryStore store = MemoryStore.on(clock);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = Scale.pick(10_000, 20_000, 1_000_000); i > 0; i--) {
                Asking expiring = new Asking(
                        clock, 1, 1, LockRequest.exclusive(ACCOUNT), Duration.ZERO, Duration.ofSeconds(1), List.of());
                StoreGrant expired = (StoreGrant) store.acquire(expiring);
                clock.moveTo(clock.nanos() + Duration.ofSeconds(1).toNanos());
                CyclicBarrier start = new CyclicBarrier(3);
                Future<StoreAnswer> one = threads.submit(() -> trySharing(store, clock, 2, start));
                Future<StoreAnswer> two = threads.submit(() -> trySharing(store, clock, 3, start));
                start.await();
                store.release(expired);
                store.release((StoreGrant) one.get());
                store.release((StoreGrant) two.get());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(store.size()).isZero();
    }

    /** Doesn't wait. */
    private static StoreAnswer trySharing(MemoryStore store, MovedClock clock, int number, CyclicBarrier start)
            throws Exception {
        start.await();
        return store.acquire(Asking.once(number, LockRequest.shared(ACCOUNT), clock));
    }

    @Test
    @DisplayName("waiters that are moved along while they look for cycles don't fail")
    void movedWhileLooking() throws InterruptedException {
        MemoryStore store = MemoryStore.create();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            LockRequest request = i == 1 ? LockRequest.exclusive(USER) : LockRequest.exclusive(ACCOUNT);
            int number = i;
            threads.add(new Thread(() -> use(store, number, request, failure)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(store.size()).isZero();
    }

    private static void use(MemoryStore store, int number, LockRequest request, AtomicReference<Throwable> failure) {
        try {
            for (int i = Scale.pick(20_000, 40_000, 2_000_000); i > 0 && failure.get() == null; i--) {
                Asking asking = Asking.patiently(number, request, dev.lockstep.core.LockClock.system());
                store.release((StoreGrant) store.acquire(asking));
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }
}
