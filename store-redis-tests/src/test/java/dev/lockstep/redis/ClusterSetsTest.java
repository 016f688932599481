package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.CrossingWork;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sets of locks that several partitions of a cluster keep. */
@Tag("slow")
@Tag("once")
@Timeout(1_500)
@Execution(ExecutionMode.CONCURRENT)
class ClusterSetsTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofMinutes(3);

    private ClusterRealm realm;
    private Locks one;
    private Locks other;
    private LockKey first;
    private LockKey second;
    private LockKey third;

    @BeforeEach
    void start() {
        realm = ClusterRealm.on(TestServers.redisCluster(), Duration.ofSeconds(30), TERM);
        one = realm.locks(realm.store().answerWithin(ClusterRealm.PATIENT));
        other = realm.locks(realm.store().answerWithin(ClusterRealm.PATIENT));
        first = realm.user("a", 1);
        second = realm.user("b", 2);
        third = realm.user("c", 1); // in the first one's partition again
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
        await().atMost(SOON).untilAsserted(() -> assertThat(realm.leftovers()).isEmpty());
    }

    private LockRequest all() {
        return LockRequest.exclusive(third, first, second);
    }

    private static boolean isFree(Locks locks, LockKey key) {
        if (locks.tryAcquire(LockRequest.exclusive(key)) instanceof Granted granted) {
            granted.lease().close();
            return true;
        }
        return false;
    }

    private void awaitWaiters(int count) {
        await().atMost(SOON).until(() -> one.snapshot().waiters().size() == count);
    }

    private static <T> T in(CompletableFuture<T> future) throws Exception {
        return future.get(4, TimeUnit.MINUTES);
    }

    @Test
    void setsThatCrossExcludeAndDontDeadlock(@TempDir Path directory) throws Exception {
        try (ExclusionChecker checker = ExclusionChecker.in(directory);
                Locks more = realm.locks(realm.store().answerWithin(ClusterRealm.PATIENT))) {
            List<CompletableFuture<Void>> parties = new ArrayList<>();
            for (Locks locks : List.of(one, other, more)) {
                long seed = parties.size() * 100L;
                parties.add(CompletableFuture.runAsync(() -> cross(locks, checker, seed), Realm.NEW_THREAD));
            }
            for (CompletableFuture<Void> each : parties) {
                each.get(20, TimeUnit.MINUTES);
            }
            checker.verify();
        }
    }

    private static void cross(Locks locks, ExclusionChecker checker, long seed) {
        try {
            CrossingWork.on(locks, checker).run(3, Scale.pick(40, 2_000), seed);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aSetIsHeldAndReleasedAsAWhole() {
        Lease lease = one.acquire(all());
        assertThat(Stream.of(first, second, third)).noneMatch(key -> isFree(other, key));
        assertThat(one.snapshot().holders())
                .hasSize(3)
                .allMatch(held -> held.leaseId().equals(lease.id()));
        lease.renew();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(Stream.of(first, second, third)).allMatch(key -> isFree(other, key));
    }

    @Test
    void aSetThatIsRefusedLeavesNothing() {
        for (LockKey busy : List.of(first, second, third)) {
            Lease held = one.acquire(LockRequest.exclusive(busy));
            assertThat(other.tryAcquire(all()))
                    .isInstanceOfSatisfying(
                            Busy.class, refusal -> assertThat(refusal.key()).isEqualTo(busy));
            assertThat(other.tryAcquire(all().within(Duration.ofMillis(300)))).isInstanceOf(Busy.class);
            assertThat(one.snapshot().holders()).hasSize(1);
            assertThat(one.snapshot().waiters()).isEmpty();
            held.close();
        }
    }

    @Test
    void aSetThatIsCalledOffLeavesNothing() {
        Lease held = one.acquire(LockRequest.exclusive(third));
        CompletableFuture<Lease> waiting = other.acquireAsync(all());
        awaitWaiters(1);
        assertThat(waiting.cancel(false)).isTrue();
        await().atMost(SOON)
                .until(() -> one.snapshot().holders().size() == 1
                        && one.snapshot().waiters().isEmpty());
        held.close();
    }

    @Test
    void aWaiterHoldsWhatComesEarlierAndIsInNoOthersWayLater() throws Exception {
        Lease held = one.acquire(LockRequest.exclusive(second));
        CompletableFuture<Lease> waiting = other.acquireAsync(all());
        awaitWaiters(1);
        assertThat(isFree(other, first)).isFalse();
        assertThat(isFree(other, third)).isTrue();
        held.close();
        in(waiting).close();
    }

    @Test
    void whatComesEarlierStaysHeldDuringAWaitThatIsLongerThanTheTerm() throws Exception {
        Lease held = one.acquire(LockRequest.exclusive(second));
        Duration term = Duration.ofSeconds(20); // enough for a machine that stands still between two renewals
        CompletableFuture<Lease> waiting = other.acquireAsync(all().forTerm(term));
        awaitWaiters(1);
        long end = System.nanoTime() + term.plusSeconds(2).toNanos();
        while (System.nanoTime() - end < 0) {
            assertThat(isFree(other, first)).isFalse();
            Thread.sleep(100);
        }
        held.close();
        Lease lease = in(waiting);
        assertThat(lease.isHeld()).isTrue();
        assertThat(isFree(other, first)).isFalse();
        lease.close();
    }

    @Test
    void aTokenIsAboveThoseOfEveryPartitionInvolved() {
        String hour = Long.toString(Realm.micros() + TimeUnit.HOURS.toMicros(1));
        realm.command(second, "HSET " + realm.keysOf(second).memory() + " last " + hour); // as if its clock were ahead
        Lease both = one.acquire(LockRequest.exclusive(first, second));
        assertThat(both.token().value()).isGreaterThan(Long.parseLong(hour));
        both.close();
        try (Lease next =
                other.acquire(LockRequest.exclusive(first))) { // it has never heard of the second one's tokens
            assertThat(next.token()).isGreaterThan(both.token());
        }
    }

    @Test
    void aDeadlockAcrossPartitionsIsFound() throws Exception {
        CyclicBarrier bothHold = new CyclicBarrier(2);
        try (Locks forth = unguarded();
                Locks back = unguarded()) {
            CompletableFuture<String> one =
                    CompletableFuture.supplyAsync(() -> cross(forth, first, second, bothHold), Realm.NEW_THREAD);
            CompletableFuture<String> two =
                    CompletableFuture.supplyAsync(() -> cross(back, second, first, bothHold), Realm.NEW_THREAD);
            assertThat(List.of(in(one), in(two))).containsExactlyInAnyOrder("both", "deadlock");
        }
    }

    private Locks unguarded() {
        return Locks.builder(realm.store().answerWithin(ClusterRealm.PATIENT))
                .orderPolicy(OrderPolicy.OFF)
                .defaultTerm(TERM)
                .defaultWait(SOON)
                .build();
    }

    private static String cross(Locks locks, LockKey outer, LockKey inner, CyclicBarrier bothHold) {
        try (Lease held = locks.acquire(LockRequest.exclusive(outer))) {
            bothHold.await(3, TimeUnit.MINUTES);
            try (Lease more = locks.acquire(LockRequest.exclusive(inner))) {
                return held.isHeld() && more.isHeld() ? "both" : "lost";
            }
        } catch (DeadlockException e) {
            return "deadlock";
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aProcessWithAnotherNumberOfPartitionsIsRefused() {
        one.acquire(LockRequest.exclusive(first)).close();
        try (Locks different = realm.locks(realm.store().partitions(32).answerWithin(ClusterRealm.PATIENT))) {
            assertThatThrownBy(() -> different.acquire(LockRequest.exclusive(first)))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("has 64 partitions, and this process uses 32");
            assertThatThrownBy(different::snapshot)
                    .as("it would miss half of the locks")
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("has 64 partitions, and this process uses 32");
        }
        try (RedisLockStore single = realm.store().partitions(1).answerWithin(ClusterRealm.PATIENT)) {
            assertThatThrownBy(single::snapshot)
                    .as("it would miss most of the locks")
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("has 64 partitions, and this process uses 1.");
        }
    }
}
