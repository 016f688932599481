package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.RedisSentinel;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Locks on the master that a sentinel names. A failover is like a restart that may have lost the newest locks. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(600)
class SentinelTest {
    private static final Duration LONGEST = Duration.ofSeconds(8);
    private static final Duration DOWN_AFTER = Duration.ofSeconds(2);

    /** For a test in which no server dies: a busy machine must not look like one. */
    private static final Duration NEVER = Duration.ofMinutes(10);

    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private static Realm realm(RedisSentinel sentinel) {
        return Realm.on(sentinel.master(), LONGEST, LONGEST).create().at(sentinel.url());
    }

    @Test
    void aMasterThatDiesIsReplacedAndNothingIsGrantedForTheLongestTerm() throws Exception {
        try (RedisSentinel sentinel = TestServers.startRedisSentinel(DOWN_AFTER)) {
            Realm realm = realm(sentinel);
            try (Locks holder = realm.locks();
                    Locks other = realm.locks()) {
                other.acquire(USER).close();
                Lease lease = holder.acquire(USER);
                CompletableFuture<Lease> waiting = other.acquireAsync(USER);
                long killed = Realm.micros();
                sentinel.master().kill();
                sentinel.awaitPromotion();
                Lease next = waiting.get(4, TimeUnit.MINUTES);
                assertThat(next.token().value() - killed).isGreaterThanOrEqualTo(NamespaceGeneration.micros(LONGEST));
                assertThat(next.token()).isGreaterThan(lease.token());
                assertThat(lease.isHeld()).isFalse();
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
                next.close();
            }
        }
    }

    /** The old master continues as a replica, with the connections to it. */
    @Test
    void aMasterThatIsReplacedInGoodOrderIsLeft() throws Exception {
        try (RedisSentinel sentinel = TestServers.startRedisSentinel(NEVER)) {
            Realm realm = realm(sentinel);
            try (RedisView view = new RedisView(sentinel.replica(), realm);
                    Locks locks = realm.locks()) {
                locks.acquire(USER).close();
                sentinel.failover();
                Lease lease = locks.acquireAsync(USER).get(4, TimeUnit.MINUTES);
                assertThat(view.held())
                        .extracting(RedisView.Entry::token)
                        .containsExactly(lease.token().value());
                lease.close();
            }
            assertThat(RedisDoctor.at(sentinel.url())
                            .namespace(realm.namespace())
                            .examine()
                            .findings())
                    .noneMatch(finding -> finding.severity() == Severity.ERROR);
        }
    }

    @Test
    void aSentinelThatHangsIsPassedOver() throws Exception {
        try (RedisSentinel sentinel = TestServers.startRedisSentinel(NEVER);
                TcpProxy first = TcpProxy.to(sentinel.sentinel());
                RedisAdmin admin = new RedisAdmin(sentinel.master())) {
            String both = sentinel.url().replace("://", "://" + first.host() + ":" + first.port() + ",");
            Realm realm = realm(sentinel).at(both);
            try (Locks locks = realm.locks(realm.store().answerWithin(Duration.ofSeconds(5)))) {
                locks.acquire(USER).close();
                first.freeze();
                admin.run("CLIENT KILL TYPE normal SKIPME yes");
                Duration limit =
                        Duration.ofSeconds(50); // less than the minute that Lettuce would wait for the first one
                locks.acquireAsync(USER.within(limit))
                        .get(limit.toSeconds(), TimeUnit.SECONDS)
                        .close();
            }
        }
    }

    @Test
    void theOrderOfTheSentinelsMakesNoDifference() {
        assertThat(RedisLockStore.at("redis-sentinel://a:1,b:2#m").identity())
                .isPresent()
                .isEqualTo(RedisLockStore.at("redis-sentinel://b:2,a:1#m").identity())
                .isNotEqualTo(
                        RedisLockStore.at("redis-sentinel://a:1,b:2#other").identity());
    }
}
