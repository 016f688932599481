package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A ping tells whether the server works, and nothing else. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class RedisPingTest {
    private static final Duration TERM = Duration.ofMinutes(10);

    private static RedisLockStore store(TestServer server) {
        return Realm.on(server, TERM, TERM).store();
    }

    private static void assertUnavailable(RedisLockStore store) {
        assertThatThrownBy(store::ping)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
    }

    private static void awaitPing(RedisLockStore store) {
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptionsInstanceOf(LockException.class)
                .untilAsserted(store::ping);
    }

    @Test
    void locksThatAreTakenAndAQuietTimeMakeNoDifference() {
        try (PrivateServer server = TestServers.startRedis()) {
            Realm realm = Realm.on(server, TERM, TERM).create();
            try (RedisLockStore store = realm.store();
                    Locks locks = realm.locks()) {
                Lease lease = locks.acquire(LockRequest.exclusive(Tenancy.user("u1")));
                store.ping();
                server.kill();
                assertUnavailable(store);
                server.restart();
                awaitPing(store);
                assertThatThrownBy(() -> locks.acquire(
                                LockRequest.exclusive(Tenancy.user("u2")).within(Duration.ofMillis(100))))
                        .as("the quiet time")
                        .isInstanceOf(LockException.class);
                store.ping();
                lease.release();
            }
        }
    }

    @Test
    void aServerThatStandsStillIsAway() {
        try (PrivateServer server = TestServers.startRedis();
                RedisLockStore store = store(server).answerWithin(Duration.ofSeconds(20))) {
            store.ping();
            server.pause();
            assertUnavailable(store);
            server.resume();
            awaitPing(store);
        }
    }

    @Test
    void aReplicaIsNotTheServerOfTheLocks() {
        try (PrivateServer server = TestServers.startRedis();
                PrivateServer master = TestServers.startRedis();
                RedisAdmin admin = new RedisAdmin(server);
                RedisLockStore store = store(server)) {
            store.ping();
            admin.run("REPLICAOF 127.0.0.1 " + master.port());
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertUnavailable(store));
            admin.run("REPLICAOF NO ONE");
            awaitPing(store);
        }
    }

    @Test
    void aServerThatRefusesWritesCannotGrant() {
        try (PrivateServer server = TestServers.startRedis("--min-replicas-to-write", "1");
                RedisAdmin admin = new RedisAdmin(server);
                RedisLockStore store = store(server)) {
            assertUnavailable(store);
            admin.run("CONFIG SET min-replicas-to-write 0");
            store.ping();
        }
    }

    @Test
    void aServerThatCannotSaveCannotGrant() throws Exception {
        try (PrivateServer server = TestServers.startRedis("--appendonly", "no", "--save", "3600", "1");
                RedisAdmin admin = new RedisAdmin(server);
                RedisLockStore store = store(server)) {
            store.ping();
            RedisDoctorTroubleTest.remove(server.directory().resolve("data"));
            admin.run("BGSAVE");
            await().until(() -> admin.info("persistence").contains("rdb_last_bgsave_status:err"));
            assertUnavailable(store);
            admin.run("CONFIG SET stop-writes-on-bgsave-error no");
            store.ping();
        }
    }

    @Test
    void aPingLeavesNothingButWhatTheNamespaceKnowsOfItself() {
        try (PrivateServer server = TestServers.startRedis();
                RedisAdmin admin = new RedisAdmin(server);
                RedisLockStore store = store(server)) {
            store.ping();
            store.ping();
            assertThat(admin.keys()).isEqualTo(1);
        }
    }

    @Test
    void storesAreTheSameOnlyAtOneAddressAndNamespace() {
        RedisLockStore store = RedisLockStore.at("redis://user:secret@host:6379/0");
        assertThat(store.identity())
                .isPresent()
                .isEqualTo(RedisLockStore.at("redis://host:6379").identity())
                .isNotEqualTo(store.namespace("other").identity())
                .isNotEqualTo(RedisLockStore.at("redis://host:6379/1").identity())
                .isNotEqualTo(RedisLockStore.at("redis://host:6380").identity());
        assertThat(store.identity().orElseThrow()).doesNotContain("secret");
        assertThat(store.address()).isEqualTo(store.identity());
    }
}
