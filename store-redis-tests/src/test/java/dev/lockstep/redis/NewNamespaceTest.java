package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A namespace that the server doesn't know: it may be new, and the server may have forgotten it. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(600)
class NewNamespaceTest {
    private static final Duration TERM = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));
    private static final Pattern QUIET = Pattern.compile("grants no lock for another (\\d+) ms");

    /** What a request that can't wait is told: for how long nothing is locked, and why. */
    private static long quietMillis(Locks locks, String why) {
        LockException error = Assertions.catchThrowableOfType(LockException.class, () -> locks.tryAcquire(USER));
        assertThat(error).hasMessageContaining(why).hasMessageContaining("createNamespace()");
        assertThat(error.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(error.retryable()).isTrue();
        assertThat(error.keys()).containsExactly(Tenancy.user("u1"));
        Matcher matcher = QUIET.matcher(error.getMessage());
        assertThat(matcher.find()).as(error.getMessage()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private static void awaitUptime(PrivateServer server, long seconds) {
        try (RedisAdmin admin = new RedisAdmin(server)) {
            await().atMost(Duration.ofMinutes(3)).until(() -> uptime(admin) >= seconds);
        }
    }

    static long uptime(RedisAdmin admin) {
        return admin.info("server")
                .lines()
                .filter(line -> line.startsWith("uptime_in_seconds:"))
                .mapToLong(line -> Long.parseLong(line.substring("uptime_in_seconds:".length())))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aYoungServerWaitsForWhatIsLeftOfTheLongestTermSinceItsStart(PrivateServer server) {
        Duration longest = SHORT;
        long started = startedAtTheEarliest(server);
        try (Locks locks = Realm.on(server, longest, TERM).locks();
                Lease lease = locks.acquire(USER)) {
            assertThat(lease.token().value()).isGreaterThanOrEqualTo(started + NamespaceGeneration.micros(longest));
            lease.ensureHeld();
        }
    }

    /** In microseconds of the clock that the server goes by; it counts whole seconds since its start. */
    private static long startedAtTheEarliest(PrivateServer server) {
        try (RedisAdmin admin = new RedisAdmin(server)) {
            long now = Realm.micros();
            return now - NamespaceGeneration.micros(Duration.ofSeconds(uptime(admin) + 1));
        }
    }

    @Test
    void aYoungServerSaysHowMuchIsLeftOfTheLongestTermSinceItsStart(PrivateServer server) {
        Duration longest = Duration.ofMinutes(10); // by far more than a busy machine takes to get here
        awaitUptime(server, 2);
        try (Locks locks = Realm.on(server, longest, TERM).locks()) {
            assertThat(quietMillis(locks, "started a moment ago"))
                    .isBetween(longest.dividedBy(2).toMillis(), longest.toMillis() - 1_000);
            assertThatThrownBy(() -> locks.acquire(USER.within(Duration.ofMillis(20))))
                    .as("a wait that is over before")
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("grants no lock for another");
        }
    }

    @Test
    void createNamespaceSparesTheWaitAndDoesNothingLater(PrivateServer server) {
        Realm realm = Realm.on(server, Duration.ofSeconds(30), TERM);
        try (RedisLockStore store = realm.store().createNamespace();
                Locks locks = realm.locks(store)) {
            assertThat(locks.tryAcquire(USER)).isInstanceOfSatisfying(Granted.class, granted -> {
                realm.create();
                granted.lease().renew();
                granted.lease().close();
            });
        }
    }

    /** An application that creates its namespace once is protected like all others afterwards. */
    @Test
    void aNamespaceThatWasCreatedIsProtectedAfterARestart(PrivateServer server) {
        Realm realm = Realm.on(server, Duration.ofSeconds(30), TERM).create();
        server.restart();
        realm.create();
        try (Locks locks = realm.locks()) {
            assertThatThrownBy(() -> locks.tryAcquire(USER)).hasMessageContaining("restarted or replaced");
        }
    }

    @Test
    void anOldServerThatNeverDroppedAKeyDoesNotWait(PrivateServer server) {
        awaitUptime(server, SHORT.toSeconds() + 2);
        for (int i = 0; i < 3; i++) { // nor does a second namespace: what the store does drops no key
            Realm realm = Realm.on(server, SHORT, TERM);
            try (Locks locks = realm.locks();
                    Locks other = realm.locks()) {
                assertThat(locks.tryAcquire(USER)).isInstanceOfSatisfying(Granted.class, granted -> {
                    granted.lease().renew();
                    assertThat(other.tryAcquire(USER)).isNotInstanceOf(Granted.class);
                    granted.lease().close();
                });
                locks.snapshot();
            }
        }
    }

    /** One server for all commands; a restart makes it forget which there were. */
    @ParameterizedTest
    @Execution(ExecutionMode.SAME_THREAD)
    @ValueSource(
            strings = {
                "FLUSHALL",
                "FLUSHDB",
                "DEL a",
                "UNLINK a",
                "SET a b",
                "EXPIRE a 1",
                "SWAPDB 0 1",
                "CONFIG RESETSTAT",
                "REPLICAOF NO ONE",
                "EVAL return{redis.call('DEL','a')} 0"
            })
    void aServerThatMayHaveDroppedKeysWaitsForTheWholeTermHoweverLongItRuns(String command) {
        old.restart();
        Amnesia.command(old, command);
        Duration longest = Duration.ofMinutes(10);
        try (Locks locks = Realm.on(old, longest, TERM).locks()) {
            assertThat(quietMillis(locks, "it is new, or Redis was emptied"))
                    .isBetween(longest.minusMinutes(1).toMillis(), longest.toMillis());
        }
    }

    private static PrivateServer old;

    @BeforeAll
    static void start(PrivateServer server) {
        old = server;
    }
}
