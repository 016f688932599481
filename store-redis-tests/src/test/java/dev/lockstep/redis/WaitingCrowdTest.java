package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Many requests of one process wait at one lock: the process speaks for all of them. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(600)
class WaitingCrowdTest {
    private static final int CROWD = 100;
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Duration PATIENCE = LeaseCalls.SLACK.plusSeconds(1);
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private static List<CompletableFuture<Lease>> crowd(Locks locks, RedisView view) {
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            waiters.add(locks.acquireAsync(USER));
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> view.waiting() == CROWD);
        return waiters;
    }

    /** In whichever order they were queued. */
    private static void serveAll(Lease first, List<CompletableFuture<Lease>> waiters) {
        List<CompletableFuture<Void>> served = waiters.stream()
                .map(waiter -> waiter.thenAcceptAsync(Lease::close, Realm.NEW_THREAD))
                .toList();
        first.close();
        served.forEach(each -> assertThat(each).succeedsWithin(Duration.ofMinutes(2)));
    }

    /** Each would otherwise ask once a second. */
    @Test
    void theyKeepTheirPlacesWithFewCalls(PrivateServer server) {
        Realm realm = Realm.on(server, TERM, TERM).create();
        try (RedisView view = new RedisView(server, realm);
                ScriptCaller counter = new ScriptCaller(server, realm);
                Locks holder = realm.locks();
                Locks other = realm.locks(realm.store().answerWithin(Duration.ofSeconds(1)))) {
            Lease lease = holder.acquire(USER);
            List<CompletableFuture<Lease>> waiters = crowd(other, view);
            long calls = counter.calls("evalsha");
            long begun = System.nanoTime();
            counter.awaitMillis(Math.toIntExact(PATIENCE.toMillis()) * 2);
            double seconds = (System.nanoTime() - begun) / 1e9;
            assertThat(counter.calls("evalsha") - calls).isLessThan((long) (seconds * CROWD / 2));
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> holder.snapshot().waiters().size() == CROWD);
            serveAll(lease, waiters);
        }
    }

    /** Their places are lost, and they queue again without asking each second. */
    @Test
    void theyQueueAgainWhenTheServerHeardNothingOfThem(PrivateServer server) throws Exception {
        Realm realm = Realm.on(server, TERM, TERM).create();
        try (TcpProxy network = TcpProxy.to(server);
                RedisView view = new RedisView(server, realm);
                ScriptCaller clock = new ScriptCaller(server, realm);
                Locks holder = realm.locks();
                Locks other = realm.locks(realm.at(server.url(network)).store().answerWithin(Duration.ofSeconds(1)))) {
            Lease lease = holder.acquire(USER);
            List<CompletableFuture<Lease>> waiters = crowd(other, view);
            network.refuse();
            network.cut();
            clock.awaitMillis(Math.toIntExact(PATIENCE.toMillis()) + 1_000);
            holder.acquireAsync(USER.within(Duration.ofMillis(1)))
                    .handle((granted, error) -> "")
                    .get();
            assertThat(holder.snapshot().waiters()).isEmpty();
            network.accept();
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> holder.snapshot().waiters().size() == CROWD);
            serveAll(lease, waiters);
        }
    }

    /** One that is silent, but open, is noticed by asking. */
    @Test
    void aDeadHintConnectionIsReplaced(PrivateServer server) {
        Realm realm = Realm.on(server, TERM, TERM).create();
        try (TcpProxy network = TcpProxy.to(server);
                RedisView view = new RedisView(server, realm);
                Locks locks = realm.locks(realm.at(server.url(network)).store().answerWithin(Duration.ofSeconds(1)))) {
            locks.acquire(USER).close();
            await().until(() -> view.listeners() == 1);
            String before = view.listener();
            assertThat(before).endsWith(" name=lockstep");
            await().atMost(Duration.ofMinutes(3)).until(() -> {
                network.freeze();
                Fault.await(Duration.ofSeconds(
                        10)); // longer than it takes to notice, unless this process stands still as well
                network.thaw();
                await().atMost(Duration.ofMinutes(1)).until(() -> view.listeners() == 1);
                return !view.listener().equals(before);
            });
        }
    }
}
