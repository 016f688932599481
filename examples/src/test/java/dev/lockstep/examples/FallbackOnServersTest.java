package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.USER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Granted;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.EpochTable;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A pair of Redis and a database: two processes' worth of stores each, on real servers that die. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "POSTGRES"})
class FallbackOnServersTest {
    private static final Duration EPOCH_TERM = Duration.ofSeconds(2);
    private static final Duration TERM = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final LockKey BUSY = USER.key("busy");
    private static final LockKey KEPT = USER.key("kept");

    @Parameter
    ServerKind kind;

    private PrivateServer redis;
    private TestDatabase database;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void create() throws SQLException {
        redis = TestServers.startRedis();
        try (RedisLockStore store = primary()) {
            store.createNamespace();
        }
        database = TestServers.shared(kind).freshDatabase();
        if (kind != ServerKind.POSTGRES) {
            RowLockStore.mysql(dataSource())
                    .buckets(101)
                    .provisionIfMissing(USER)
                    .close();
        }
    }

    @AfterEach
    void drop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        database.close();
        redis.close();
    }

    private DataSource dataSource() {
        return new DriverSource(DatabaseExamplesTest.url(database));
    }

    private RedisLockStore primary() {
        return RedisLockStore.at(redis.url())
                .namespace("pair")
                .longestTerm(TERM)
                .answerWithin(Duration.ofSeconds(30)); // a server that stands still is not away
    }

    private LockStore secondary() {
        return kind == ServerKind.POSTGRES
                ? AdvisoryLockStore.postgresql(dataSource())
                : RowLockStore.mysql(dataSource());
    }

    private FallbackStore pair(LockStore first, LockStore second) {
        FallbackStore pair = FallbackStore.of(first, second)
                .epochTerm(EPOCH_TERM)
                .longestTerm(TERM)
                .unavailableAfter(Duration.ofSeconds(1))
                .returnAfter(Duration.ofSeconds(2));
        opened.add(pair);
        return pair;
    }

    private void provision() {
        EpochTable.on(dataSource()).provision("default");
    }

    private static Locks locks(FallbackStore pair) {
        return Locks.builder(pair)
                .defaultTerm(TERM)
                .defaultWait(SOON)
                .leaveStoreOpen()
                .build();
    }

    // ---- away and back

    @Test
    void locksGoOnOnTheDatabaseWhileRedisIsAway(@TempDir Path directory) throws Exception {
        provision();
        FallbackStore one = pair(primary(), secondary());
        FallbackStore two = pair(primary(), secondary());
        AtomicBoolean over = new AtomicBoolean();
        try (Locks first = locks(one);
                Locks second = locks(two);
                ExclusionChecker checker = ExclusionChecker.in(directory)) {
            List<Thread> workers = List.of(worker(first, checker, over), worker(second, checker, over));
            Lease before = first.acquire(exclusive(KEPT));
            assertThat(one.state().active()).isEqualTo("redis");
            contentionIsNoReason(two, second, before);

            redis.kill();
            Lease meanwhile = second.acquire(exclusive(KEPT));
            assertThat(two.state().onSecondary()).isTrue();
            assertThat(before.isHeld()).isFalse();
            assertThat(before.lost().toCompletableFuture()).succeedsWithin(SOON);
            assertThat(meanwhile.token()).isGreaterThan(before.token());
            FencingToken onDatabase = meanwhile.token();
            meanwhile.close();
            await().atMost(SOON)
                    .untilAsserted(() -> first.acquire(exclusive(KEPT)).close());

            redis.restart();
            await().atMost(SOON)
                    .until(() -> !one.state().onSecondary() && !two.state().onSecondary());
            try (Lease after = first.acquire(exclusive(KEPT))) {
                assertThat(after.token()).isGreaterThan(onDatabase);
                assertThat(after.source()).contains("redis");
            }
            over.set(true);
            for (Thread worker : workers) {
                worker.join();
            }
            assertThat(checker.verify().isClean()).as("%s", checker.verify()).isTrue();
            assertThat(checker.verify().sections()).isGreaterThan(20);
        }
    }

    /** Refused and timed out again and again, for longer than Redis would have to be silent. */
    private static void contentionIsNoReason(FallbackStore pair, Locks locks, Lease held) {
        await().atMost(SOON).until(() -> pair.state().grants() == FallbackState.Grants.YES);
        long epoch = pair.state().epoch();
        for (int i = 0; i < 20; i++) {
            boolean granted = isGranted(locks);
            assertThat(granted && held.isHeld()).isFalse(); // if the machine stood still, the lease is rightly lost
        }
        assertThat(pair.state().epoch()).isEqualTo(epoch);
        assertThat(pair.state().onSecondary()).isFalse();
    }

    private static boolean isGranted(Locks locks) {
        try {
            Attempt attempt = locks.tryAcquire(exclusive(KEPT).within(Duration.ofMillis(150)));
            if (attempt instanceof Granted granted) {
                granted.lease().close();
            }
            return attempt instanceof Granted;
        } catch (LockException e) {
            assertThat(e.code())
                    .isEqualTo(ErrorCode.STORE_UNAVAILABLE); // the pair stood still, and confirms its epoch first
            return false;
        }
    }

    private static Thread worker(Locks locks, ExclusionChecker checker, AtomicBoolean over) {
        Thread thread = new Thread(() -> {
            while (!over.get()) {
                work(locks, checker);
            }
        });
        thread.start();
        return thread;
    }

    @SuppressWarnings("EmptyCatch") // servers die here; only what the checker saw counts
    private static void work(Locks locks, ExclusionChecker checker) {
        try (Lease lease = locks.acquire(exclusive(BUSY).within(Duration.ofSeconds(5)))) {
            lease.ensureHeld();
            checker.exclusive(BUSY, lease);
        } catch (LockException e) {
            // another time
        }
    }

    // ---- pairs that can't be

    private static void assertRefused(FallbackStore pair, String why) {
        assertThatThrownBy(pair::start)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(why);
    }

    @Test
    void oneDatabaseIsNoPair() {
        provision();
        assertRefused(pair(secondary(), secondary()), "Both stores of the pair are at");
    }

    @Test
    void aSecondaryThatWasNotSetUpIsRefused() {
        assertRefused(pair(primary(), secondary()), "./lockstep provision --epochs");
        EpochTable.on(dataSource()).provision("another");
        assertRefused(pair(primary(), secondary()), "no row for the pair 'default'");
    }

    @Test
    void redisCannotBeTheSecondary() {
        assertRefused(pair(secondary(), primary()), "can't keep the register");
    }

    @Test
    void otherSettingsAreRefused() {
        provision();
        pair(primary(), secondary()).start();
        assertRefused(
                pair(primary(), secondary()).longestTerm(TERM.minusSeconds(1)),
                "is used by others with these settings");
    }

    @Test
    void aSecondaryThatTakesNoWritesIsRefused() throws SQLException {
        provision();
        if (kind == ServerKind.POSTGRES) { // MySQL and MariaDB: in the tests of the register, on servers of their own
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER DATABASE " + database.name() + " SET default_transaction_read_only = on");
            }
            assertRefused(pair(primary(), secondary()), "doesn't take writes");
        }
    }
}
