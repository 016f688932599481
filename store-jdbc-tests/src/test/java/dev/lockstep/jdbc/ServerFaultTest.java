package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server stands still, and then dies and comes back, while locks are held and waited for. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class ServerFaultTest {
    /** Of leases that are renewed, so that their holder notices when the server dies. */
    private static final Duration TERM = Duration.ofSeconds(30);

    /** Longer than the server pauses, so that nothing is renewed meanwhile: a renewal gives up before the pause ends. */
    private static final Duration LASTING = Duration.ofMinutes(10);

    private static final Duration SOON = Duration.ofMinutes(2);
    private static final LockRequest USER =
            LockRequest.exclusive(Tenancy.user("u1")).within(SOON);

    @ParameterizedTest
    @EnumSource
    void aPauseIsWaitedOutAndADeathIsNoticed(Server server) throws Exception {
        try (PrivateServer machine = TestServers.start(server.kind());
                LockDatabase database = LockDatabase.on(server, machine);
                LockStore asked = database.store();
                Locks holders = locks(database.store());
                Locks waiters = locks(database.store())) {
            pause(database, machine, asked, holders, waiters);
            die(database, machine, holders, waiters);
            await().untilAsserted(() -> assertThat(database.locks()).isZero());
        }
    }

    private static Locks locks(LockStore store) {
        return Locks.builder(store).defaultTerm(TERM).build();
    }

    private static void pause(
            LockDatabase database, PrivateServer machine, LockStore asked, Locks holders, Locks waiters)
            throws Exception {
        Lease lease = holders.acquire(USER.forTerm(LASTING));
        CompletableFuture<Lease> waiter = waiters.acquireAsync(USER);
        await().until(() -> database.waits() == 1);
        awaitTag(database, waiters);
        machine.pause();
        assertThatThrownBy(asked::ping).isInstanceOfSatisfying(LockException.class, ServerFaultTest::isUnavailable);
        machine.resume();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        waiter.get(SOON.toSeconds(), TimeUnit.SECONDS).close();
    }

    /** The holder of a lock is recorded on PostgreSQL a moment after the grant. That must not fall into the pause. */
    private static void awaitTag(LockDatabase database, Locks waiters) {
        if (database.server() == Server.POSTGRES) {
            await().until(() -> !waiters.snapshot().holders().isEmpty());
        }
    }

    private static void die(LockDatabase database, PrivateServer machine, Locks holders, Locks waiters)
            throws Exception {
        Lease lease = holders.acquire(USER);
        CompletableFuture<Lease> waiter = waiters.acquireAsync(USER);
        await().until(() -> database.waits() == 1);
        machine.kill();
        Throwable error = waiter.handle((had, failure) -> failure).get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(error).isInstanceOfSatisfying(LockException.class, ServerFaultTest::isUnavailable);
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        machine.restart();
        assertThat(tokenOf(holders)).isGreaterThan(lease.token());
        assertThat(tokenOf(waiters)).isGreaterThan(lease.token());
    }

    private static void isUnavailable(LockException error) {
        assertThat(error.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(error.retryable()).isTrue();
    }

    private static FencingToken tokenOf(Locks locks) {
        try (Lease lease = locks.acquire(USER)) {
            return lease.token();
        }
    }
}
