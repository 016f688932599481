package dev.lockstep.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Estate;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Corners that the property and stress tests, or reading for them, led to; each made sure of here. */
@DisplayName("corners of leases and holders")
@Timeout(300)
class LocksCornersStressTest {
    private static final LockKey USER = Estate.USER.key("u");
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final LockKey ACCOUNT = USER.child(Estate.ACCOUNT, "a");

    @Test
    @DisplayName("renewing a nested lease doesn't shorten the outer one")
    void nestedRenewal() {
        try (Locks locks = Locks.inMemory()) {
            Lease outer = locks.acquire(LockRequest.exclusive(USER).forTerm(Duration.ofMinutes(10)));
            Lease inner = locks.acquire(LockRequest.exclusive(ACCOUNT).forTerm(Duration.ofSeconds(1)));
            Instant before = outer.expiresAt();
            inner.renew();
            assertThat(outer.expiresAt()).isAfter(before.minusSeconds(1));
        }
    }

    @Test
    @DisplayName("renewing for less time than is left never makes the store's end come before the holder's")
    void shortRenewal() {
        SteppedClock clock = new SteppedClock();
        MemoryStore memory = MemoryStore.on(clock);
        AtomicLong overlaps = new AtomicLong();
        try (Locks locks = Locks.builder(slowAfterRenewal(memory, clock, Duration.ofMillis(20)))
                        .build();
                Locks others = Locks.builder(memory).build()) {
            Lease lease = locks.acquire(LockRequest.exclusive(USER).forTerm(Duration.ofMillis(100)));
            clock.onStep = () -> {
                boolean held = lease.isHeld();
                if (others.tryAcquire(LockRequest.exclusive(USER)) instanceof Granted && held) {
                    overlaps.incrementAndGet();
                }
            };
            lease.renew(Duration.ofMillis(10));
        } catch (LeaseLostException e) {
            assertThat(e.loss()).isNotNull(); // lost is fine; held by two is not
        }
        assertThat(overlaps).as("held by two at once").hasValue(0);
    }

    /** A store whose answer to a renewal takes a while to arrive. */
    private static LockStore slowAfterRenewal(LockStore store, SteppedClock clock, Duration delay) {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, args) -> {
                    try {
                        Object answer = method.invoke(store, args);
                        if (method.getName().equals("renew")) {
                            clock.step(delay);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    @DisplayName("tasks of one holder that don't wait for each other are no deadlock")
    void parallelTasksOfOneHolder() throws Exception {
        LockKey bottom = Estate.USER.key("bottom");
        LockKey low = Estate.ITEM.key("low");
        LockKey high = flat("high", 1_000).key("high");
        try (Locks locks = Locks.builder(MemoryStore.create())
                .defaultWait(LONG)
                .defaultTerm(LONG)
                .build()) {
            Lease base = locks.acquire(LockRequest.exclusive(bottom));
            CompletableFuture<Void> other = start(() -> {
                try (Lease first = locks.acquire(LockRequest.exclusive(low))) {
                    Awaitility.await().until(() -> waits(locks, low) && holds(locks, high));
                    try (Lease second = locks.acquire(LockRequest.exclusive(high))) {
                        assertThat(first.isHeld() && second.isHeld()).isTrue();
                    }
                }
            });
            Awaitility.await().until(() -> holds(locks, low));
            CompletableFuture<Void> one = start(
                    base.bind(() -> locks.acquire(LockRequest.exclusive(low)).close()));
            Awaitility.await().until(() -> waits(locks, low));
            CompletableFuture<Void> two = start(base.bind(() -> {
                try (Lease lease = locks.acquire(LockRequest.exclusive(high))) {
                    Awaitility.await().until(() -> other.isDone() || waits(locks, high));
                    assertThat(lease.isHeld()).isTrue();
                }
            }));
            CompletableFuture.allOf(other, one, two).get(180, TimeUnit.SECONDS);
        }
    }

    private static CompletableFuture<Void> start(Runnable task) {
        return CompletableFuture.runAsync(task, run -> new Thread(run).start());
    }

    private static boolean holds(Locks locks, LockKey key) {
        return locks.snapshot().holders().stream().anyMatch(held -> held.key().equals(key));
    }

    private static boolean waits(Locks locks, LockKey key) {
        return locks.snapshot().waiters().stream()
                .anyMatch(waiting -> waiting.key().equals(key));
    }

    private static LockKind flat(String prefix, int rank) {
        return new LockKind() {
            @Override
            public String prefix() {
                return prefix;
            }

            @Override
            public int rank() {
                return rank;
            }
        };
    }

    @Test
    @DisplayName("a lease whose term has expired is not counted in the order")
    void overIsNotHeld() {
        try (Locks locks = Locks.inMemory()) {
            for (int i = 0; i < 20; i++) {
                try (Lease lease = locks.acquire(LockRequest.exclusive(USER)
                        .forTerm(Duration.ofMillis(20))
                        .within(LONG))) {
                    while (lease.isHeld()) {
                        Thread.onSpinWait();
                    }
                    locks.acquire(LockRequest.exclusive(USER).forTerm(LONG).within(LONG))
                            .close();
                } catch (LeaseLostException e) {
                    assertThat(e.loss()).isNotNull(); // it expired before this thread got it
                }
            }
        }
    }

    @Test
    @DisplayName("an asynchronous request that the store throws at leaves nothing in the books")
    void asyncOnABrokenStore() throws ReflectiveOperationException {
        MemoryStore store = MemoryStore.create();
        try (Locks locks = Locks.on(store)) {
            store.close();
            assertThatThrownBy(() -> locks.acquireAsync(LockRequest.exclusive(USER)))
                    .isInstanceOf(LockException.class);
            assertThat(holderTable(locks).storeLeases()).isEmpty();
        }
    }

    private static HolderTable holderTable(Locks locks) throws ReflectiveOperationException {
        var field = StoreLocks.class.getDeclaredField("holderTable");
        field.setAccessible(true);
        return (HolderTable) field.get(locks);
    }

    @Test
    @DisplayName("closing the store ends asynchronous waits with the error that it is closed")
    void closedStore() {
        MemoryStore store = MemoryStore.create();
        try (Locks locks = Locks.builder(store).leaveStoreOpen().build()) {
            Lease lease = locks.acquire(LockRequest.exclusive(USER).forTerm(LONG));
            CompletableFuture<Lease> waiting =
                    locks.acquireAsync(LockRequest.exclusive(USER).within(Duration.ofMinutes(10)));
            store.close();
            assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
            lease.close();
        }
    }

    @Test
    @DisplayName("closing the locks ends their waits, also when the store stays open")
    void closedLocks() {
        MemoryStore store = MemoryStore.create();
        try (Locks holding = Locks.on(store);
                Lease lease = holding.acquire(LockRequest.exclusive(USER).forTerm(LONG))) {
            Locks waiting = Locks.builder(store).leaveStoreOpen().build();
            CompletableFuture<Lease> future =
                    waiting.acquireAsync(LockRequest.exclusive(USER).within(Duration.ofMinutes(10)));
            waiting.close();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> future.isDone() && store.snapshot().waiters().isEmpty());
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** A clock that only the test moves. */
    private static final class SteppedClock implements LockClock {
        private final AtomicLong nanos = new AtomicLong(1_000_000_000L);
        private volatile Runnable onStep = () -> {};

        void step(Duration by) {
            nanos.addAndGet(by.toNanos());
            onStep.run();
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long millis() {
            return TimeUnit.NANOSECONDS.toMillis(nanos.get());
        }

        @Override
        public void park(Object blocker, long time) {
            LockSupport.parkNanos(blocker, 1_000_000);
        }
    }
}
