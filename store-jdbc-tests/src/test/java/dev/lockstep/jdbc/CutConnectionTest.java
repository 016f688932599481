package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections break, freeze, or are refused, while others of the same database work. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource
class CutConnectionTest {
    /** Of what is to end. */
    private static final Duration TERM = Duration.ofSeconds(5);

    /** Of what is to stay. */
    private static final Duration LASTING = Duration.ofMinutes(10);

    /** Of what is to fail. */
    private static final Duration BRIEFLY = Duration.ofSeconds(1);

    /** Long enough for anything but a hang. */
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));
    private static final LockRequest OTHER = LockRequest.exclusive(Tenancy.user("u2"));

    @Parameter
    Server server;

    private LockDatabase database;
    private TcpProxy proxy;
    private Locks locks;
    private Locks direct;

    @BeforeEach
    void connect() throws SQLException {
        database = LockDatabase.on(server);
        proxy = TcpProxy.to(TestServers.shared(server.kind()));
        locks = Locks.builder(database.store(database.dataSource(proxy)))
                .defaultTerm(TERM)
                .defaultWait(SOON)
                .build();
        direct = database.patientLocks();
    }

    @AfterEach
    void disconnect() throws SQLException {
        proxy.accept();
        proxy.thaw();
        locks.close();
        direct.close();
        proxy.close();
        await("no lock is left")
                .untilAsserted(() -> assertThat(database.locks()).isZero());
        await("no connection is left")
                .untilAsserted(() -> assertThat(database.connections()).isZero());
        database.close();
    }

    private static void assertLost(Lease lease) {
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    private static void assertUnavailable(Throwable error) {
        assertThat(error).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
            assertThat(e.retryable()).isTrue();
        });
    }

    // ---- cut

    @Test
    void aHolderWhoseConnectionIsCutLearnsItAndTheNextOneHasTheLock() {
        Lease lease = locks.acquire(USER);
        proxy.cut();
        Lease next = direct.acquireAsync(USER.within(SOON)).join();
        assertLost(lease);
        next.ensureHeld();
        next.close();
        locks.acquire(USER.within(SOON)).close();
    }

    @Test
    void aWaiterWhoseConnectionIsCutHasAClearError() throws InterruptedException {
        Lease lease = direct.acquire(USER);
        CompletableFuture<Lease> waiter = locks.acquireAsync(USER.within(SOON));
        await().until(() -> database.waits() == 1);
        Thread.sleep(1_200); // longer than what counts as a connection that was dead before
        proxy.cut();
        assertThatThrownBy(waiter::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .satisfies(CutConnectionTest::assertUnavailable)
                .hasMessageContaining("user:u1");
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        direct.acquire(USER.within(SOON)).close();
    }

    @Test
    void aHolderWhoseSessionAnAdministratorEndsLearnsIt() throws SQLException {
        Lease lease = locks.acquire(USER);
        database.killSessions();
        direct.acquireAsync(USER.within(SOON)).join().close();
        assertLost(lease);
        locks.acquire(USER.within(SOON)).close();
    }

    @Test
    void aWaiterWhoseSessionAnAdministratorEndsHasAClearErrorOrTheLockAfterAll() throws SQLException {
        Lease lease = direct.acquire(USER);
        List<Long> others = database.sessions();
        CompletableFuture<Lease> waiter = locks.acquireAsync(USER.within(SOON));
        await().until(() -> database.waits() == 1);
        database.killSessions(others);
        CompletableFuture<?> error = waiter.handle((had, failure) -> {
            if (failure == null) {
                had.close();
            } else {
                assertUnavailable(failure);
            }
            return true;
        });
        lease.close();
        error.join();
    }

    @Test
    void noCallerNoticesThatIdleConnectionsWereCut() {
        Lease one = locks.acquire(USER);
        Lease two = locks.acquireAsync(OTHER).join();
        one.close();
        two.close();
        proxy.cut();
        locks.acquire(USER).close();
        Lease again = locks.acquireAsync(OTHER).join();
        locks.acquire(USER).close();
        again.close();
    }

    @Test
    void noCallerNoticesThatAnAdministratorEndedIdleSessions() throws SQLException {
        locks.acquire(USER).close();
        database.killSessions();
        assertThat(locks.acquire(USER.forTerm(LASTING)).release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    // ---- refused

    @Test
    void refusedConnectionsAreAClearErrorUntilTheyAreAcceptedAgain() {
        locks.acquire(USER).close();
        proxy.refuse();
        proxy.cut();
        assertThatThrownBy(() -> locks.acquire(USER.within(BRIEFLY)))
                .satisfies(CutConnectionTest::assertUnavailable)
                .hasMessageContaining("database");
        proxy.accept();
        locks.acquire(USER).close();
    }

    // ---- frozen

    @Test
    void aRequestEndsThoughNothingAnswers() {
        locks.acquire(USER).close();
        proxy.freeze();
        CompletableFuture<Lease> frozen = CompletableFuture.supplyAsync(() -> locks.acquire(USER.within(BRIEFLY)));
        assertThat(frozen)
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .satisfies(CutConnectionTest::assertUnavailable);
        proxy.thaw();
        await().atMost(SOON).untilAsserted(() -> assertThat(database.locks()).isZero());
        locks.acquire(USER.within(SOON)).close();
    }

    @Test
    void aFirstRequestEndsThoughNothingAnswers() {
        proxy.freeze();
        CompletableFuture<Lease> frozen = CompletableFuture.supplyAsync(() -> locks.acquire(USER.within(BRIEFLY)));
        assertThat(frozen)
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .satisfies(CutConnectionTest::assertUnavailable);
        proxy.thaw();
        locks.acquire(USER.within(SOON)).close();
    }

    @Test
    void aHolderLosesALeaseThatNothingConfirmsBeforeTheServerGivesItAway() {
        Lease lease = locks.acquire(USER);
        proxy.freeze();
        CompletableFuture<Boolean> next = direct.acquireAsync(USER.within(SOON)).thenApply(had -> {
            boolean both = lease.isHeld();
            had.close();
            return both;
        });
        assertThat(next.join()).as("held by both").isFalse();
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
        proxy.thaw();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        locks.acquire(USER.within(SOON)).close();
    }
}
