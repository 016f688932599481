package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.examples.RolloutLocks.Held;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Who excludes whom while code moves from Redisson to Lockstep, and what the adapter does when it can't have or keep a lock. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
@SuppressWarnings("LockNotBeforeTry") // what is held is looked at from outside
class RolloutTest {
    private static final LockKey A = CHARACTER.key("A");
    private static final LockKey B = EQUIPMENT.key("B");

    private final String namespace = RedisPlaces.newNamespace();
    private final Locks locks = RedisPlaces.locks(namespace);
    private final Locks others = RedisPlaces.locks(namespace);
    private final RedissonClient old = RedisPlaces.redisson();
    private final RedissonClient redisson = RedisPlaces.redisson();
    private final RolloutLocks rollout =
            new RolloutLocks(locks, Duration.ofSeconds(60), key -> redisson.getLock(name(key)));
    private final RolloutLocks impatient =
            new RolloutLocks(locks, Duration.ofMillis(500), key -> redisson.getLock(name(key)));

    private String name(LockKey key) {
        return namespace + key;
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(others.snapshot().isEmpty()).isTrue();
        assertThat(old.getLock(name(A)).isLocked()).isFalse();
        assertThat(old.getLock(name(B)).isLocked()).isFalse();
        locks.close();
        others.close();
        old.shutdown();
        redisson.shutdown();
    }

    private static <T> T elsewhere(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, command -> new Thread(command).start())
                .join();
    }

    private boolean oldGets(LockKey key) {
        RLock lock = old.getLock(name(key));
        boolean had = lock.tryLock();
        if (had) {
            lock.unlock();
        }
        return had;
    }

    private boolean lockstepGets(LockRequest request) {
        if (others.tryAcquire(request) instanceof Granted granted) {
            granted.lease().close();
            return true;
        }
        return false;
    }

    @Test
    @DisplayName("old code and Lockstep alone don't exclude each other")
    void oldAndNew() {
        RLock lock = old.getLock(name(A));
        lock.lock();
        assertThat(lockstepGets(exclusive(A))).isTrue();
        lock.unlock();
        try (Lease lease = locks.acquire(exclusive(A))) {
            assertThat(oldGets(A)).isTrue();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("the adapter excludes old code and Lockstep alone")
    void adapterHolds() {
        try (Held held = rollout.acquire(exclusive(B, A))) {
            assertThat(oldGets(A)).isFalse();
            assertThat(oldGets(B)).isFalse();
            assertThat(lockstepGets(exclusive(A))).isFalse();
            assertThat(lockstepGets(exclusive(B))).isFalse();
            await().untilAsserted(
                            () -> // under the watchdog, which may be late
                            assertThat(old.getLock(name(A)).remainTimeToLive()).isBetween(20_000L, 30_000L));
            held.ensureHeld();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(oldGets(A) && oldGets(B) && lockstepGets(exclusive(A, B))).isTrue();
    }

    @Test
    @DisplayName("old code excludes the adapter, which then holds nothing")
    void oldHolds() {
        RLock lock = old.getLock(name(B));
        lock.lock();
        assertThatThrownBy(() -> impatient.acquire(exclusive(A, B)))
                .isInstanceOfSatisfying(LockException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT);
                    assertThat(e.keys()).containsExactly(A, B);
                })
                .hasMessageContaining(name(B));
        assertThat(oldGets(A)).isTrue();
        assertThat(lockstepGets(exclusive(A, B))).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("old code that takes locks in another order waits for the adapter no longer than the adapter waits")
    void otherOrder() throws InterruptedException {
        RLock second = old.getLock(name(B));
        second.lock();
        CountDownLatch hasFirst = new CountDownLatch(2);
        RolloutLocks inOrder = new RolloutLocks(locks, Duration.ofSeconds(2), key -> {
            hasFirst.countDown(); // when it asks for the second lock, it has the first one
            return redisson.getLock(name(key));
        });
        CompletableFuture<Void> adapter = CompletableFuture.runAsync(
                () -> inOrder.acquire(exclusive(A, B)).close(), command -> new Thread(command).start());
        assertThat(hasFirst.await(60, TimeUnit.SECONDS)).isTrue();
        RLock first = old.getLock(name(A));
        first.lock(); // the adapter has it, and waits for the other one
        assertThat(adapter).failsWithin(Duration.ofSeconds(60));
        first.unlock();
        second.unlock();
    }

    @Test
    @DisplayName("Lockstep alone excludes the adapter, which then takes nothing of Redisson's")
    void newHolds() {
        try (Lease lease = others.acquire(exclusive(A).as("new"))) {
            assertThatThrownBy(() -> impatient.acquire(exclusive(A)))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("'new'");
            assertThat(oldGets(A)).isTrue();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("readers of the adapter let old readers in, and no old writer")
    void readers() {
        RolloutLocks reading = new RolloutLocks(
                locks,
                Duration.ofSeconds(60),
                key -> redisson.getReadWriteLock(name(key) + "/rw").readLock());
        try (Held held = reading.acquire(shared(A))) {
            assertThat(old.getReadWriteLock(name(A) + "/rw").writeLock().tryLock())
                    .isFalse();
            RLock reader = old.getReadWriteLock(name(A) + "/rw").readLock();
            assertThat(reader.tryLock()).isTrue();
            reader.unlock();
            assertThat(lockstepGets(shared(A))).isTrue();
            assertThat(others.tryAcquire(exclusive(A))).isInstanceOf(Busy.class);
            held.ensureHeld();
        }
    }

    @Test
    @DisplayName("old code knows no hierarchy: what is inside stays open to it")
    void hierarchy() {
        LockKey user = AccountKinds.USER.key("u1");
        LockKey account = user.child(AccountKinds.ACCOUNT, "a1");
        try (Held held = rollout.acquire(exclusive(user))) {
            assertThat(lockstepGets(exclusive(account))).isFalse();
            assertThat(oldGets(user)).isFalse();
            assertThat(oldGets(account)).isTrue();
            held.ensureHeld();
        }
    }

    @Test
    @DisplayName("what the adapter holds, a nested call of its thread has too")
    void nested() {
        try (Held outer = rollout.acquire(exclusive(A, B))) {
            try (Held inner = rollout.acquire(exclusive(A))) {
                inner.ensureHeld();
            }
            assertThat(oldGets(A)).isFalse();
            outer.ensureHeld();
        }
    }

    @Test
    @DisplayName("any thread may give the adapter's locks back")
    void otherThread() {
        Held held = rollout.acquire(exclusive(A));
        assertThat(elsewhere(held::release)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("a lost lock of Redisson's stops the work, and Lockstep's is held until then")
    void oldLost() {
        try (Held held = rollout.acquire(exclusive(A))) {
            assertThat(old.getLock(name(A)).forceUnlock()).isTrue();
            assertThatThrownBy(held::ensureHeld)
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEASE_LOST));
            assertThat(lockstepGets(exclusive(A))).isFalse();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.LOST);
        }
    }

    @Test
    @DisplayName("a lost lease stops the work, and Redisson's lock is held until then")
    void leaseLost() {
        try (Held held = rollout.acquire(exclusive(A).forTerm(Duration.ofMillis(300)))) {
            assertThat(held.lease().lost().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(60));
            assertThatThrownBy(held::ensureHeld).isInstanceOf(LeaseLostException.class);
            assertThat(oldGets(A)).isFalse();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.LOST);
        }
    }

    @Test
    @DisplayName(
            "an interrupted wait leaves the thread interrupted and nothing held, even what Redisson gives it later")
    void interrupted() {
        RLock lock = old.getLock(name(A));
        lock.lock();
        RolloutLocks patient = new RolloutLocks(locks, Duration.ofSeconds(60), key -> {
            Thread.currentThread().interrupt();
            return redisson.getLock(name(key));
        });
        boolean stayed = elsewhere(() -> {
            assertThatThrownBy(() -> patient.acquire(exclusive(A)))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
            return Thread.currentThread().isInterrupted();
        });
        assertThat(stayed).isTrue();
        assertThat(lockstepGets(exclusive(A))).isTrue();
        lock.unlock();
        await().during(Duration.ofMillis(500)).until(() -> !lock.isLocked());
    }

    @Test
    @DisplayName("the samples of the guide")
    void samples() {
        RolloutLocks guide = AfterMigration.rollout(locks, redisson);
        AfterMigration after = new AfterMigration(locks, what -> {
            assertThat(what).isEqualTo("A and B");
            assertThat(old.getLock("character:A").tryLock()).isFalse();
            assertThat(old.getLock("equipment:B").tryLock()).isFalse();
            assertThat(lockstepGets(exclusive(A))).isFalse();
        });
        after.both(guide, A, B);
        assertThat(redisson.getLock("character:A").isLocked()).isFalse();
        assertThat(lockstepGets(exclusive(A, B))).isTrue();
    }
}
