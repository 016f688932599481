package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The server's memory is full, and it evicts nothing: what is held stays held, and new locks wait for room. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(600)
class FullServerTest {
    private static final Duration TERM = Duration.ofSeconds(20);
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));
    private static final LockRequest OTHER = LockRequest.exclusive(Tenancy.user("u2"));

    @Test
    void leasesAreRenewedAndHandedOnAndNewOnesWaitForRoom(PrivateServer server) throws Exception {
        Realm realm = Realm.on(server, TERM, TERM).create();
        try (RedisView view = new RedisView(server, realm);
                Locks holder = realm.locks();
                Locks waiter = realm.locks()) {
            Lease lease = holder.acquire(USER);
            CompletableFuture<Lease> queued = waiter.acquireAsync(USER);
            Awaitility.await().until(() -> view.waiting() == 1);
            Amnesia.command(server, "CONFIG SET maxmemory 1");

            lease.renew();
            assertThatThrownBy(() -> waiter.tryAcquire(OTHER)).isInstanceOfSatisfying(LockException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
                assertThat(e.retryable()).isTrue();
                assertThat(e).hasMessageContaining("maxmemory");
            });
            CompletableFuture<Lease> patient = waiter.acquireAsync(OTHER);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease next = queued.get(1, TimeUnit.MINUTES);
            next.renew();
            next.ensureHeld();
            assertThat(patient).isNotDone();

            Amnesia.command(server, "CONFIG SET maxmemory 0");
            patient.get(1, TimeUnit.MINUTES).close();
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
