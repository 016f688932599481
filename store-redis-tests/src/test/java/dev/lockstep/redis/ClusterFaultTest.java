package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.RedisCluster;
import dev.lockstep.testservers.TestServers;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Masters die, stand still and lose slots while locks are held and waited for. */
@Tag("slow")
@Tag("once")
@Timeout(1_200)
@Execution(ExecutionMode.CONCURRENT)
class ClusterFaultTest {
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Duration TERM = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofMinutes(3);

    /** How long a master may be silent before its replica takes over: quick, or not in a test. */
    private static final Duration QUICK = Duration.ofSeconds(2);

    private static final Duration NEVER = Duration.ofMinutes(5);

    private static ClusterRealm realm(RedisCluster cluster) {
        return ClusterRealm.on(cluster, LONGEST, TERM);
    }

    private static <T> T in(CompletableFuture<T> future) throws Exception {
        return future.get(4, TimeUnit.MINUTES);
    }

    /** The next holder has it only when the first one knows that it hasn't, and its token shows who came later. */
    private static void assertHandedOver(Lease lease, Lease next) {
        assertThat(lease.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    // ---- a master that dies

    @Test
    void aReplicaThatTookOverGrantsNothingThatMayStillBeHeld() throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(QUICK)) {
            ClusterRealm realm = realm(cluster);
            LockKey key = realm.user("a", 1);
            try (Locks holder = realm.locks();
                    Locks other = realm.locks()) {
                other.acquire(LockRequest.exclusive(key)).close();
                Lease lease = holder.acquire(LockRequest.exclusive(key).forTerm(LONGEST));
                realm.command(key, "WAIT 1 60000");
                PrivateServer master = realm.masterOf(key);
                CompletableFuture<Lease> waiting = other.acquireAsync(LockRequest.exclusive(key));
                master.kill();
                cluster.awaitPromotion(realm.keysOf(key).slot(), master);
                assertHandedOver(lease, in(waiting));
            }
        }
    }

    @Test
    void theConnectionToAMasterThatIsGoneIsClosed() throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(QUICK)) {
            ClusterRealm realm = realm(cluster);
            LockKey key = realm.user("a", 1);
            PrivateServer master = realm.masterOf(key);
            RedisURI seed = cluster.nodes().stream()
                    .filter(node -> node != master)
                    .map(node -> RedisURI.create(node.host(), node.port()))
                    .findFirst()
                    .orElseThrow();
            Partitions partitions = realm.partitions();
            try (ClusterServers servers = new ClusterServers(
                    new Driver(ClusterRealm.PATIENT, SslOptions.create()),
                    List.of(seed),
                    partitions,
                    ClusterRealm.PATIENT)) {
                CompletionStage<Long> first = servers.send(
                        partitions.of(key),
                        redis -> redis.hlen(partitions.of(key).keys().leases()));
                assertThat(first).isNotNull();
                Awaitility.await().until(() -> servers.connectedNodes().contains("127.0.0.1:" + master.port()));
                master.kill();
                Awaitility.await().atMost(Duration.ofMinutes(3)).untilAsserted(() -> {
                    CompletionStage<Long> next = servers.send(
                            partitions.of(key),
                            redis -> redis.hlen(partitions.of(key).keys().leases()));
                    assertThat(next.toCompletableFuture()).succeedsWithin(Duration.ofSeconds(30));
                });
                Awaitility.await().untilAsserted(() -> {
                    servers.attend();
                    assertThat(servers.connectedNodes()).doesNotContain("127.0.0.1:" + master.port());
                });
            }
        }
    }

    @Test
    void aLeaseOfWhichTheReplicaNeverHeardIsNotGivenAwayEither() throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(QUICK)) {
            ClusterRealm realm = realm(cluster);
            LockKey key = realm.user("a", 1);
            try (Locks holder = realm.locks();
                    Locks other = realm.locks()) {
                other.acquire(LockRequest.exclusive(key)).close();
                realm.command(key, "WAIT 1 60000");
                PrivateServer master = realm.masterOf(key);
                PrivateServer replica = cluster.nodes().get(cluster.nodes().indexOf(master) + 3);
                replica.pause();
                Lease lease = holder.acquire(LockRequest.exclusive(key).forTerm(LONGEST));
                master.kill();
                replica.resume();
                Lease next = in(other.acquireAsync(LockRequest.exclusive(key)));
                assertHandedOver(lease, next);
            }
        }
    }

    @Test
    void thereAreNeverTwoHoldersWhileMastersDie(@TempDir Path directory) throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(QUICK)) {
            ClusterRealm realm = realm(cluster);
            workDuring(realm, directory, key -> {
                PrivateServer master = realm.masterOf(key);
                master.kill();
                cluster.awaitPromotion(realm.keysOf(key).slot(), master);
            });
        }
    }

    @Test
    void thereAreNeverTwoHoldersWhileSlotsMove(@TempDir Path directory) throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(NEVER)) {
            ClusterRealm realm = realm(cluster);
            workDuring(realm, directory, key -> {
                int slot = realm.keysOf(key).slot();
                PrivateServer from = realm.masterOf(key);
                cluster.moveSlot(slot, realm.masterOf(realm.userApartFrom(key, "z")));
                cluster.moveSlot(slot, from);
            });
        }
    }

    private interface Trouble {
        void befall(LockKey key);
    }

    /** Sets that cross are taken all the time: before something happens to one of the keys, meanwhile, and afterwards. */
    private static void workDuring(ClusterRealm realm, Path directory, Trouble trouble) throws Exception {
        List<LockKey> keys = List.of(realm.user("a", 1), realm.user("b", 2), realm.user("c", 3), realm.user("d", 1));
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger sections = new AtomicInteger();
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                List<LockKey> set = List.of(keys.get(i), keys.get((i + 1) % 4));
                workers.add(CompletableFuture.runAsync(
                        () -> {
                            try (Locks locks = realm.locks()) {
                                while (!over.get()) {
                                    workOnce(locks, checker, set, sections);
                                }
                            }
                        },
                        Realm.NEW_THREAD));
            }
            await().atMost(SOON).until(() -> sections.get() > 50);
            trouble.befall(keys.get(0));
            int before = sections.get();
            await().atMost(SOON).until(() -> sections.get() > before + 50);
            over.set(true);
            for (CompletableFuture<Void> each : workers) {
                in(each);
            }
            checker.verify();
            checkAllFree(realm, keys);
        }
    }

    private static void checkAllFree(ClusterRealm realm, List<LockKey> keys) {
        try (Locks locks = realm.locks();
                Lease all = locks.acquire(LockRequest.exclusive(keys))) {
            assertThat(all.isHeld()).isTrue();
        }
    }

    private static void workOnce(Locks locks, ExclusionChecker checker, List<LockKey> keys, AtomicInteger sections) {
        try (Lease lease = locks.acquire(LockRequest.exclusive(keys).within(SOON))) {
            keys.forEach(key -> checker.whileHeld(key, true, lease, () -> {}));
            sections.incrementAndGet();
        } catch (LockException e) { // a master is gone: the others go on
            assertThat(e.retryable()).as(e.toString()).isTrue();
        }
    }

    /** What ends on the connection of one of them goes on with the other: whoever does that must not wait for the other way round. */
    @Test
    void twoMastersThatDieAtOnceLeaveNoRequestStuck() throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(NEVER)) {
            ClusterRealm realm = realm(cluster);
            LockKey first = realm.user("a", 1);
            LockKey second = realm.userApartFrom(first, "z");
            List<PrivateServer> masters = List.of(realm.masterOf(first), realm.masterOf(second));
            assertThat(masters).doesNotHaveDuplicates();
            try (Locks locks = realm.locks()) {
                for (int round = 0; round < 2; round++) {
                    List<CompletableFuture<Void>> asked = new ArrayList<>();
                    for (int i = 0; i < 40; i++) {
                        asked.add(locks.acquireAsync(LockRequest.exclusive(first, second))
                                .thenAccept(Lease::close));
                    }
                    masters.parallelStream().forEach(PrivateServer::kill);
                    masters.parallelStream().forEach(PrivateServer::restart);
                    for (CompletableFuture<Void> each : asked) {
                        assertEnds(each);
                    }
                    cluster.awaitOk();
                    locks.acquire(LockRequest.exclusive(first, second)).close();
                }
            }
        }
    }

    private static void assertEnds(CompletableFuture<Void> asked) throws Exception {
        try {
            in(asked);
        } catch (ExecutionException e) {
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                            LockException.class,
                            error -> assertThat(error.retryable())
                                    .as("%s", error)
                                    .isTrue());
        }
    }

    // ---- a slot that moves

    @Test
    void aSlotThatMovesTakesItsLocksAwayAndNoOthers() throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(NEVER)) {
            ClusterRealm realm = realm(cluster);
            LockKey key = realm.user("a", 1);
            LockKey stays = realm.userApartFrom(key, "z");
            try (Locks holder = realm.locks();
                    Locks other = realm.locks()) {
                Lease untouched =
                        holder.acquireAsync(LockRequest.exclusive(stays)).get(4, TimeUnit.MINUTES);
                Lease lease = holder.acquire(LockRequest.exclusive(key));
                CompletableFuture<Lease> waiting = other.acquireAsync(LockRequest.exclusive(key));
                await().atMost(SOON).until(() -> other.snapshot().waiters().size() == 1);
                cluster.moveSlot(realm.keysOf(key).slot(), realm.masterOf(stays));
                assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
                assertHandedOver(lease, in(waiting));
                assertThat(untouched.isHeld()).isTrue();
                assertThat(untouched.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    @Test
    void aSlotThatIsOnItsWayIsWaitedFor() throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(NEVER)) {
            ClusterRealm realm = realm(cluster);
            LockKey key = realm.user("a", 1);
            int slot = realm.keysOf(key).slot();
            PrivateServer target = realm.masterOf(realm.userApartFrom(key, "z"));
            try (Locks locks = realm.locks()) {
                locks.acquire(LockRequest.exclusive(key)).close();
                cluster.beginMove(slot, target);
                assertThatThrownBy(() -> locks.tryAcquire(LockRequest.exclusive(key)))
                        .isInstanceOfSatisfying(
                                LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
                CompletableFuture<Lease> waiting = locks.acquireAsync(LockRequest.exclusive(key));
                cluster.endMove(slot, target);
                assertThat(in(waiting).release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    // ---- a master that stands still

    @Test
    void aMasterThatStandsStillHoldsUpNoOthers() throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(NEVER)) {
            ClusterRealm realm = realm(cluster);
            LockKey still = realm.user("a", 1);
            LockKey key = realm.userApartFrom(still, "b");
            try (Locks locks = realm.locks();
                    Locks other = realm.locks()) {
                other.acquire(LockRequest.exclusive(still)).close();
                Lease lost = locks.acquireAsync(LockRequest.exclusive(still)).get(4, TimeUnit.MINUTES);
                Lease lease = locks.acquireAsync(LockRequest.exclusive(key)).get(4, TimeUnit.MINUTES);
                PrivateServer master = realm.masterOf(still);
                master.pause();
                assertThat(lost.lost().toCompletableFuture()).succeedsWithin(SOON);
                assertThat(lease.isHeld()).as("its own master answers").isTrue();
                CompletableFuture<Lease> waiting = other.acquireAsync(LockRequest.exclusive(still));
                master.resume();
                assertThat(in(waiting).token()).isGreaterThan(lost.token());
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    @Test
    void aMasterThatStoodStillForTooLongIsReplaced() throws Exception {
        try (RedisCluster cluster = TestServers.startRedisCluster(QUICK)) {
            ClusterRealm realm = realm(cluster);
            LockKey key = realm.user("a", 1);
            try (Locks holder = realm.locks();
                    Locks other = realm.locks()) {
                other.acquire(LockRequest.exclusive(key)).close();
                Lease lease = holder.acquire(LockRequest.exclusive(key).forTerm(LONGEST));
                PrivateServer master = realm.masterOf(key);
                CompletableFuture<Lease> waiting = other.acquireAsync(LockRequest.exclusive(key));
                master.pause();
                cluster.awaitPromotion(realm.keysOf(key).slot(), master);
                assertHandedOver(lease, in(waiting));
                master.resume();
                cluster.awaitOk();
                assertThat(other.acquire(LockRequest.exclusive(key)).release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    // ---- a part of a lease

    @Test
    void aLeaseOfWhichAPartIsLostIsLostAsAWhole() {
        ClusterRealm realm = realm(TestServers.redisCluster());
        LockKey first = realm.user("a", 1);
        LockKey second = realm.user("b", 2);
        try (Locks locks = realm.locks(realm.store().answerWithin(ClusterRealm.PATIENT));
                Locks other = realm.locks(realm.store().answerWithin(ClusterRealm.PATIENT))) {
            for (LockKey lost : List.of(first, second)) {
                LockKey left = lost.equals(first) ? second : first;
                Lease lease = locks.acquire(LockRequest.exclusive(first, second).forTerm(TERM));
                String part = lost.equals(first) ? lease.id().toString() : lease.id() + "/1";
                realm.command(lost, "HDEL " + realm.keysOf(lost).leases() + " " + part);
                assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
                await().atMost(SOON)
                        .until(() -> other.tryAcquire(LockRequest.exclusive(left)) instanceof Granted granted
                                && granted.lease().release() == ReleaseOutcome.RELEASED);
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
            }
        }
    }

    @Test
    void aRequestThatLosesAPartWhileItWaitsBeginsAnew() throws Exception {
        ClusterRealm realm = realm(TestServers.redisCluster());
        LockKey first = realm.user("a", 1);
        LockKey second = realm.user("b", 2);
        try (Locks locks = realm.locks(realm.store().answerWithin(ClusterRealm.PATIENT));
                Locks other = realm.locks(realm.store().answerWithin(ClusterRealm.PATIENT))) {
            Lease held = locks.acquire(LockRequest.exclusive(second));
            CompletableFuture<Lease> waiting = other.acquireAsync(LockRequest.exclusive(first, second));
            await().atMost(SOON).until(() -> locks.snapshot().waiters().size() == 1);
            List<Object> leases =
                    realm.command(first, "HKEYS " + realm.keysOf(first).leases());
            assertThat(leases).hasSize(1);
            realm.command(first, "HDEL " + realm.keysOf(first).leases() + " " + leases.get(0));
            await().atMost(SOON)
                    .until(() -> !realm.command(
                                    first, "HKEYS " + realm.keysOf(first).leases())
                            .isEmpty());
            held.close();
            assertThat(in(waiting).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
