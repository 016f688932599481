package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server stands still, and then dies and comes back, while locks are held and waited for. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ServerFaultTest {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final LockRequest USER =
            LockRequest.exclusive(Tenancy.user("u1")).within(SOON);

    @ParameterizedTest
    @EnumSource
    void aPauseIsWaitedOutAndADeathIsNoticed(Server server) throws Exception {
        try (PrivateServer machine = TestServers.start(server.kind());
                LockDatabase database = LockDatabase.on(server, machine);
                Locks holders = Locks.on(database.store());
                Locks waiters = Locks.on(database.store())) {
            pause(database, machine, holders, waiters);
            die(database, machine, holders, waiters);
            await().untilAsserted(() -> assertThat(database.locks()).isZero());
        }
    }

    private static void pause(LockDatabase database, PrivateServer machine, Locks holders, Locks waiters)
            throws Exception {
        Lease lease = holders.acquire(USER);
        CompletableFuture<Lease> waiter = waiters.acquireAsync(USER);
        await().until(() -> database.waits() == 1);
        machine.pause();
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        machine.resume();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        waiter.get(SOON.toSeconds(), TimeUnit.SECONDS).close();
    }

    private static void die(LockDatabase database, PrivateServer machine, Locks holders, Locks waiters)
            throws Exception {
        Lease lease = holders.acquire(USER);
        CompletableFuture<Lease> waiter = waiters.acquireAsync(USER);
        await().until(() -> database.waits() == 1);
        machine.kill();
        Throwable error = waiter.handle((had, failure) -> failure).get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(error).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
            assertThat(e.retryable()).isTrue();
        });
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        machine.restart();
        assertThat(tokenOf(holders)).isGreaterThan(lease.token());
        assertThat(tokenOf(waiters)).isGreaterThan(lease.token());
    }

    private static FencingToken tokenOf(Locks locks) {
        try (Lease lease = locks.acquire(USER)) {
            return lease.token();
        }
    }
}
