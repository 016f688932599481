package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nobody may publish hints or listen to them. They are no more than hints, so everything works without, up to a second later. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class LostHintsTest {
    private static final LockRequest FIRST = LockRequest.exclusive(Tenancy.user("u1"));
    private static final LockRequest SECOND = LockRequest.exclusive(Tenancy.user("u2"));
    private static final LockRequest BOTH = LockRequest.exclusive(Tenancy.user("u1"), Tenancy.user("u2"));

    private static Realm silent(PrivateServer server) {
        Amnesia.command(server, "ACL SETUSER silent on nopass ~* +@all resetchannels");
        return Realm.on(server, Duration.ofSeconds(30), Duration.ofSeconds(10))
                .create()
                .at("redis://silent:any@" + server.host() + ":" + server.port());
    }

    @Test
    void waitsEndAllTheSame(PrivateServer server) throws Exception {
        Realm realm = silent(server);
        try (RedisView view = new RedisView(server, realm);
                Locks holder = realm.locks();
                Locks first = realm.locks();
                Locks second = realm.locks();
                Locks third = realm.locks()) {
            for (int i = 0; i < 3; i++) {
                Lease lease = holder.acquire(BOTH);
                List<CompletableFuture<Lease>> waiters = new ArrayList<>();
                queue(waiters, first.acquireAsync(FIRST), view);
                queue(waiters, second.acquireAsync(SECOND), view);
                queue(waiters, third.acquireAsync(BOTH), view);
                assertThat(view.listeners()).isZero();
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                for (CompletableFuture<Lease> waiter : waiters) {
                    Lease next = waiter.get(60, TimeUnit.SECONDS);
                    next.ensureHeld();
                    assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
                }
                assertThat(view.leftovers()).isEmpty();
            }
        }
    }

    private static void queue(List<CompletableFuture<Lease>> waiters, CompletableFuture<Lease> waiter, RedisView view) {
        waiters.add(waiter);
        await().until(() -> view.waiting() == waiters.size());
    }
}
