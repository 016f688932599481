package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindMismatchException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What all processes of a namespace must agree on, and what the server must be told again when it has forgotten it. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(600)
class SharedKnowledgeTest {
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Duration TERM = Duration.ofSeconds(20);
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private PrivateServer server;
    private Realm realm;

    @BeforeEach
    void start(PrivateServer own) {
        server = own;
        realm = Realm.on(server, LONGEST, TERM).create();
    }

    // ---- the longest term

    @Test
    void aProcessWithAnotherLongestTermIsRefusedWithBothValues() {
        try (Locks locks = realm.locks();
                Locks other = realm.longest(Duration.ofSeconds(21)).locks()) {
            locks.acquire(USER).close();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> other.tryAcquire(USER))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContainingAll("20000 ms", "21000 ms", "the same longestTerm", realm.namespace());
                assertThatThrownBy(() -> other.acquire(USER)).isInstanceOf(InvalidRequestException.class);
            }
            locks.acquire(USER).close();
        }
    }

    /** One process with another setting makes the others wait once, and locks none of them out. */
    @Test
    void aLongerTermAfterARestartProlongsTheWaitAndIsNotRecorded() {
        Duration longer = Duration.ofSeconds(22);
        try (Locks locks = realm.locks();
                RedisLockStore store = realm.longest(longer).store();
                Locks other = realm.longest(longer).locks(store)) {
            locks.acquire(USER).close();
            long killed = Realm.micros();
            server.restart();
            await().ignoreExceptions().atMost(Duration.ofMinutes(1)).untilAsserted(store::ping);
            assertThatThrownBy(() -> other.tryAcquire(USER))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContainingAll("20000 ms", "22000 ms");
            try (Lease lease = locks.acquire(USER)) {
                assertThat(lease.token().value() - killed).isGreaterThanOrEqualTo(NamespaceGeneration.micros(longer));
            }
        }
    }

    // ---- the format

    @Test
    void dataOfAnotherFormatIsRefused() {
        try (Locks locks = realm.locks()) {
            locks.acquire(USER).close();
            Amnesia.command(server, "HSET " + realm.memory() + " format 99");
            assertThatThrownBy(() -> locks.tryAcquire(USER))
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll("format 99", "one version");
            Amnesia.command(server, "HSET " + realm.memory() + " format 1");
            locks.acquire(USER).close();
        }
    }

    @Test
    void aTermThatIsLongerThanTheLongestIsRefused() {
        try (Locks locks = realm.locks()) {
            Duration longer = LONGEST.plusMillis(1);
            assertThatThrownBy(() -> locks.tryAcquire(USER.forTerm(longer)))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContainingAll("20001 ms", "20000 ms", "longestTerm");
            try (Lease lease = locks.acquire(USER.forTerm(LONGEST))) {
                assertThatThrownBy(() -> lease.renew(longer))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("20001 ms");
                lease.ensureHeld();
            }
        }
    }

    // ---- kinds

    /** Another idea of what a user is. */
    private enum Otherwise implements LockKind {
        USER;

        @Override
        public String prefix() {
            return "user";
        }

        @Override
        public int rank() {
            return 77;
        }
    }

    private static final LockRequest OTHERWISE = LockRequest.exclusive(Otherwise.USER.key("u1"));

    @Test
    void kindsAreSentAgainToAServerThatForgotThem() {
        try (Locks locks = realm.locks();
                Locks other = realm.locks()) {
            locks.acquire(USER).close();
            Amnesia.command(server, "FLUSHALL");
            try (Lease lease = locks.acquire(USER)) {
                assertThat(other.snapshot().holders())
                        .singleElement()
                        .satisfies(held -> assertThat(held.leaseId()).isEqualTo(lease.id()));
            }
            assertThatThrownBy(() -> other.tryAcquire(OTHERWISE)).isInstanceOf(KindMismatchException.class);
        }
    }

    @Test
    void kindsAreSentAgainWhenTheServerForgotThemBeforeTheFirstLock() {
        try (RedisLockStore store = realm.store();
                Locks locks = Locks.builder(store)
                        .defaultTerm(TERM)
                        .defaultWait(Duration.ofMinutes(3))
                        .kinds(Tenancy.values())
                        .build();
                Locks other = realm.locks()) {
            Amnesia.command(server, "FLUSHALL");
            locks.acquire(USER).close();
            assertThatThrownBy(() -> other.tryAcquire(OTHERWISE)).isInstanceOf(KindMismatchException.class);
        }
    }

    @Test
    void aProcessThatContradictsTheKindsOfTheNewLifeIsRefusedEveryTime() {
        try (Locks locks = realm.locks();
                Locks other = realm.locks()) {
            locks.acquire(USER).close();
            Amnesia.command(server, "FLUSHALL");
            other.acquire(OTHERWISE).close();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> locks.tryAcquire(USER))
                        .isInstanceOfSatisfying(
                                KindMismatchException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.KIND_MISMATCH))
                        .hasMessageContainingAll("77", "user");
            }
            other.acquire(OTHERWISE).close();
        }
    }

    // ---- scripts

    @Test
    void aServerThatForgotTheScriptsGetsThemAgain() throws Exception {
        Realm calm =
                Realm.on(server, Duration.ofSeconds(30), Duration.ofSeconds(30)).create();
        try (RedisAdmin admin = new RedisAdmin(server);
                Locks locks = calm.locks();
                Locks other = calm.locks()) {
            for (int i = 0; i < 20; i++) {
                Lease lease = locks.acquire(USER);
                admin.run("SCRIPT FLUSH");
                lease.renew();
                admin.run("SCRIPT FLUSH");
                CompletableFuture<Lease> waiter = other.acquireAsync(USER);
                await().until(() -> locks.snapshot().waiters().size() == 1);
                admin.run("SCRIPT FLUSH");
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                waiter.get(4, TimeUnit.MINUTES).close();
                admin.run("SCRIPT FLUSH");
                assertThat(locks.tryAcquire(USER))
                        .isInstanceOfSatisfying(
                                Granted.class, granted -> granted.lease().close());
            }
        }
    }
}
