package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServer;
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

/** Other processes are killed, or stand still, while they hold a lock or wait for one. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class OtherProcessTest {
    private static final Duration TERM = Duration.ofSeconds(20);

    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private TestServer server;
    private Realm realm;

    @BeforeEach
    void create(TestServer shared) {
        server = shared;
        realm = Realm.on(server, Duration.ofSeconds(30), TERM).create();
    }

    private static Lease in(CompletableFuture<Lease> future) throws Exception {
        return future.get(4, TimeUnit.MINUTES);
    }

    @Test
    void theLockOfAKilledHolderGoesToTheNextWhenItsTermIsOver() throws Exception {
        try (RedisView view = new RedisView(server, realm);
                ChildJvm holder = realm.child();
                Locks locks = realm.locks()) {
            assertThat(holder.ask("hold u1")).isEqualTo("held");
            CompletableFuture<Lease> waiter = locks.acquireAsync(USER);
            await().atMost(Duration.ofMinutes(3)).until(() -> view.waiting() == 1);
            holder.kill();
            RedisView.Entry left = view.held().get(0);
            Lease next = in(waiter);

            assertThat(next.token().value())
                    .isGreaterThanOrEqualTo(left.expiry())
                    .isGreaterThan(left.token());
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(view.leftovers()).isEmpty();
        }
    }

    @Test
    void killedWaitersAreSkipped() throws Exception {
        try (RedisView view = new RedisView(server, realm);
                ChildJvm first = realm.child();
                ChildJvm second = realm.child();
                Locks holder = realm.locks();
                Locks locks = realm.locks()) {
            Lease lease = holder.acquire(USER);
            first.tell("hold u1");
            second.tell("hold u1");
            await().atMost(Duration.ofMinutes(3)).until(() -> view.waiting() == 2);
            CompletableFuture<Lease> waiter = locks.acquireAsync(USER);
            await().atMost(Duration.ofMinutes(3)).until(() -> view.waiting() == 3);
            first.kill();
            second.kill();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease next = in(waiter);

            next.close();
            await().atMost(Duration.ofMinutes(3))
                    .untilAsserted(() -> assertThat(view.leftovers()).isEmpty());
        }
    }

    @Test
    void aHolderThatStoodStillPastItsTermLearnsItAndDisturbsNoOtherHolder() throws Exception {
        try (RedisView view = new RedisView(server, realm);
                ChildJvm stopped = realm.child();
                Locks locks = realm.locks();
                Locks third = realm.locks()) {
            assertThat(stopped.ask("hold u1")).isEqualTo("held");
            long token = Long.parseLong(stopped.ask("token"));
            assertThat(locks.tryAcquire(USER)).isInstanceOf(Busy.class);
            stopped.stop();
            Lease next = in(locks.acquireAsync(USER));
            stopped.goOn();

            assertThat(stopped.ask("loss")).isIn("EXPIRED", "UNCONFIRMED", "REFUSED");
            assertThat(stopped.ask("release")).isEqualTo("LOST");
            assertThat(next.token().value()).isGreaterThan(token);
            next.renew();
            next.ensureHeld();
            assertThat(third.tryAcquire(USER)).isInstanceOf(Busy.class);
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(stopped.ask("try u1")).isEqualTo("held");
            assertThat(Long.parseLong(stopped.ask("token")))
                    .isGreaterThan(next.token().value());
            assertThat(stopped.ask("release")).isEqualTo("RELEASED");
            assertThat(view.leftovers()).isEmpty();
        }
    }

    @Test
    void aWaiterThatStoodStillLosesItsPlaceAndGetsTheLockAllTheSame() throws Exception {
        try (RedisView view = new RedisView(server, realm);
                ChildJvm stopped = realm.child();
                Locks holder = realm.locks();
                Locks locks = realm.locks()) {
            Lease lease = holder.acquire(USER);
            stopped.tell("hold u1");
            await().atMost(Duration.ofMinutes(3)).until(() -> view.waiting() == 1);
            stopped.stop();
            lease.close();
            Lease next = in(locks.acquireAsync(USER));
            stopped.goOn();
            next.close();

            assertThat(stopped.answer()).isEqualTo("held");
            assertThat(Long.parseLong(stopped.ask("token")))
                    .isGreaterThan(next.token().value());
            assertThat(stopped.ask("release")).isEqualTo("RELEASED");
            assertThat(view.leftovers()).isEmpty();
        }
    }
}
