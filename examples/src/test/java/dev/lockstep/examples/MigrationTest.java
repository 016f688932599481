package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.examples.BeforeMigration.Work;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.KeysScanOptions;

/** The samples and the claims of docs/migrating-from-redisson.md, on real Redisson and real Redis. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
@SuppressWarnings("LockNotBeforeTry") // what is held is looked at from outside
class MigrationTest {
    /** Of the samples. */
    private static final Duration SHORTEST_TERM = Duration.ofSeconds(5);

    private final String namespace = RedisPlaces.newNamespace();
    private final Locks locks = RedisPlaces.locks(namespace);
    private final Locks others = RedisPlaces.locks(namespace);
    private final RedissonClient redisson = RedisPlaces.redisson();
    private final List<String> done = new ArrayList<>();

    @AfterEach
    void nothingIsLeft() {
        assertThat(locks.snapshot().isEmpty()).isTrue();
        locks.close();
        others.close();
        redisson.shutdown();
    }

    private static <T> T elsewhere(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, command -> new Thread(command).start())
                .join();
    }

    /** Whether someone else gets the lock. */
    private static boolean isFree(RLock lock) {
        return elsewhere(() -> {
            boolean had = lock.tryLock();
            if (had) {
                lock.unlock();
            }
            return had;
        });
    }

    private boolean isFree(LockRequest request) {
        Attempt attempt = others.tryAcquire(request);
        if (attempt instanceof Granted granted) {
            granted.lease().close();
        }
        return attempt instanceof Granted;
    }

    private BeforeMigration before(RLock... held) {
        long start = System.nanoTime();
        return new BeforeMigration(redisson, what -> {
            boolean free = Stream.of(held).anyMatch(MigrationTest::isFree);
            assertHeld(free, start);
            done.add(what);
        });
    }

    private AfterMigration after(LockRequest... held) {
        long start = System.nanoTime();
        return new AfterMigration(locks, what -> {
            boolean free = Stream.of(held).anyMatch(this::isFree);
            assertHeld(free, start);
            done.add(what);
        });
    }

    /** On a machine that stood still for a whole term, locks are rightly free. */
    private static void assertHeld(boolean free, long start) {
        if (System.nanoTime() - start < SHORTEST_TERM.toNanos()) {
            assertThat(free).isFalse();
        }
    }

    @Test
    @DisplayName("lock and unlock")
    void lock() {
        before(redisson.getLock("character:A")).lock("A");
        after(exclusive(CHARACTER.key("A"))).lock("A");
        assertThat(done).containsExactly("A", "A");
        assertThat(isFree(redisson.getLock("character:A"))).isTrue();
    }

    @Test
    @DisplayName("tryLock with a wait and a lease time")
    void tryLock() throws InterruptedException {
        assertThat(before(redisson.getLock("character:B")).tryLock("B")).isTrue();
        assertThat(after(exclusive(CHARACTER.key("B"))).tryLock("B")).isTrue();
        assertThat(done).containsExactly("B", "B");

        RLock lock = redisson.getLock("character:B");
        elsewhere(() -> {
            lock.lock(300, SECONDS);
            return true;
        });
        assertThat(before().tryLock("B")).isFalse();
        lock.forceUnlock();
        try (Lease lease = others.acquire(exclusive(CHARACTER.key("B")).as("repair"))) {
            assertThat(after().tryLock("B")).isFalse();
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(done.get(2)).startsWith("nothing: character:B is busy: ['repair' (X since ");
    }

    @Test
    @DisplayName("several locks: one after the other, MultiLock, and one call")
    void several() {
        RLock character = redisson.getLock("character:C");
        RLock equipment = redisson.getLock("equipment:D");
        before(character, equipment).several("C", "D");
        before(character, equipment).multi("C", "D");
        after(exclusive(CHARACTER.key("C")), exclusive(EQUIPMENT.key("D"))).several("C", "D");
        assertThat(done).containsExactly("C and D", "C and D", "C and D");
    }

    @Test
    @DisplayName("a read lock lets readers in, and no writer")
    void read() {
        Work reads = what -> {
            RReadWriteLock lock = redisson.getReadWriteLock("character:E");
            assertThat(isFree(lock.readLock())).isTrue();
            assertThat(isFree(lock.writeLock())).isFalse();
            done.add(what);
        };
        new BeforeMigration(redisson, reads).read("E");
        new AfterMigration(locks, what -> {
                    assertThat(isFree(shared(CHARACTER.key("E")))).isTrue();
                    assertThat(isFree(exclusive(CHARACTER.key("E")))).isFalse();
                    done.add(what);
                })
                .read("E");
        assertThat(done).containsExactly("E", "E");
    }

    @Test
    @DisplayName("a fair lock is a lock")
    void fair() {
        before(redisson.getFairLock("character:F")).fair("F");
        after(exclusive(CHARACTER.key("F"))).lock("F");
        assertThat(done).containsExactly("F", "F");
    }

    @Test
    @DisplayName("Lockstep's tokens are above Redisson's, and leave no key behind")
    void fenced() {
        List<Long> tokens = new ArrayList<>();
        Work writes = new Work() {
            @Override
            public void change(String what) {
                throw new AssertionError(what);
            }

            @Override
            public void write(String what, long token) {
                tokens.add(token);
            }
        };
        new BeforeMigration(redisson, writes).fenced("G");
        new BeforeMigration(redisson, writes).fenced("G");
        new AfterMigration(locks, writes).fenced("G");
        new AfterMigration(locks, writes).fenced("G");
        assertThat(tokens).startsWith(1L, 2L).isSorted().doesNotHaveDuplicates();
        assertThat(keys("*character:G*")).containsExactly("redisson_lock_token:{character:G}");
        assertThat(keys("lockstep:{" + namespace + "}*"))
                .containsExactlyInAnyOrder("lockstep:{" + namespace + "}", "lockstep:{" + namespace + "}:kinds");
        redisson.getKeys().delete("redisson_lock_token:{character:G}");
    }

    private List<String> keys(String pattern) {
        List<String> found = new ArrayList<>();
        redisson.getKeys().getKeys(KeysScanOptions.defaults().pattern(pattern)).forEach(found::add);
        return found;
    }

    // ---- what changes in meaning

    @Test
    @DisplayName("ownership: Redisson refuses an unlock by another thread, a lease is closed by any")
    void ownership() {
        RLock lock = redisson.getLock("character:H");
        lock.lock();
        assertThatThrownBy(() -> elsewhere(() -> {
                    lock.unlock();
                    return true;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("not locked by current thread");
        lock.unlock();

        Lease lease = locks.acquire(exclusive(CHARACTER.key("H")));
        assertThat(elsewhere(lease::release)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("loss: Redisson tells of it at the unlock, a lease at once")
    void loss() throws Exception {
        RLock lock = redisson.getLock("character:I");
        lock.lock(100, MILLISECONDS);
        Lease lease = locks.acquire(exclusive(CHARACTER.key("I")).forTerm(Duration.ofMillis(100)));
        lease.lost().toCompletableFuture().get(60, SECONDS);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        while (lock.isLocked()) {
            Backstage.pause(Duration.ofMillis(10));
        }
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    @DisplayName("upgrade: Redisson waits for itself, Lockstep refuses at once")
    void upgrade() throws InterruptedException {
        RReadWriteLock lock = redisson.getReadWriteLock("character:J");
        lock.readLock().lock();
        assertThat(lock.writeLock().tryLock(300, MILLISECONDS)).isFalse();
        lock.readLock().unlock();

        locks.run(
                shared(CHARACTER.key("J")),
                outer -> assertThatThrownBy(() -> locks.run(exclusive(CHARACTER.key("J")), inner -> {}))
                        .isInstanceOf(OrderViolationException.class));
    }

    @Test
    @DisplayName("reentrancy: what is held is not taken again, on bound threads too")
    void reentrancy() {
        locks.run(exclusive(CHARACTER.key("K")), outer -> {
            locks.run(exclusive(CHARACTER.key("K")), inner -> done.add("nested"));
            elsewhere(() -> {
                outer.bind(() -> locks.run(exclusive(CHARACTER.key("K")), inner -> done.add("bound")))
                        .run();
                return true;
            });
            assertThat(isFree(exclusive(CHARACTER.key("K")))).isFalse();
        });
        assertThat(done).containsExactly("nested", "bound");
    }

    @Test
    @DisplayName("a Redis that lost its memory: Redisson grants again at once, Lockstep waits")
    void amnesia() {
        try (PrivateServer server = TestServers.startRedis("--appendonly", "no")) {
            AfterMigration.create(server.url());
            try (Locks mine = Locks.on(RedisLockStore.at(server.url()).namespace("game"))) {
                RedissonClient first = RedisPlaces.redisson(server.url());
                first.getLock("character:A").lock();
                Lease lease = mine.acquire(exclusive(CHARACTER.key("A")));

                RedissonClient second = RedisPlaces.redisson(server.url());
                second.getKeys().flushall();
                assertThat(second.getLock("character:A").tryLock()).isTrue(); // and the first one holds it, too
                assertThatThrownBy(() ->
                                mine.acquireAsync(exclusive(CHARACTER.key("A"))).join())
                        .cause()
                        .isInstanceOfSatisfying(LockException.class, e -> {
                            assertThat(e.code().text()).isEqualTo("store-unavailable");
                            assertThat(e).hasMessageContaining("grants no lock for another");
                        });
                assertThat(lease.lost().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(90));
                first.shutdown();
                second.shutdown();
            }
        }
    }

    @Test
    @DisplayName("a namespace that wasn't created waits too, on a Redis that Redisson uses")
    void notCreated() {
        redisson.getBucket("examples:some-key").set("x");
        redisson.getBucket("examples:some-key").delete();
        try (Locks fresh = RedisPlaces.locks(namespace + "-new")) {
            assertThatThrownBy(() -> fresh.acquire(exclusive(CHARACTER.key("A"))))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("createNamespace()");
        }
    }
}
