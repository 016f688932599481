package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nothing is left in Redis of locks that nobody holds any more but the namespace's memory and its kinds. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class LeftoversTest {
    /** Of what is to end. */
    private static final Duration TERM = Duration.ofSeconds(15);

    /** Of what is to stay. */
    private static final Duration LASTING = Duration.ofSeconds(30);

    /** Each store sweeps every 5 to 15 seconds. */
    private static final Duration SWEPT = Duration.ofMinutes(3);

    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private final int keys = Scale.pick(5_000, 300_000);

    private Realm realm;
    private RedisView view;
    private Locks locks;
    private Locks other;

    @BeforeEach
    void start(TestServer server) {
        realm = Realm.on(server, LASTING, LASTING).create();
        view = new RedisView(server, realm);
        locks = realm.locks();
        other = realm.locks();
    }

    @AfterEach
    void stop() {
        other.close();
        locks.close();
        view.close();
    }

    // ---- many keys

    /** Every hundredth is never released. */
    @Test
    void manyKeysLeaveNothing() throws Exception {
        int abandoned = 0;
        List<CompletableFuture<?>> batch = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            LockRequest request = LockRequest.exclusive(key(i));
            if (i % 100 == 0) {
                abandoned++;
                batch.add(other.acquireAsync(request.forTerm(TERM)));
            } else {
                batch.add(locks.acquireAsync(request).thenAcceptAsync(Lease::close));
            }
            if (batch.size() == 500) {
                CompletableFuture.allOf(batch.toArray(CompletableFuture[]::new)).get(3, TimeUnit.MINUTES);
                batch.clear();
            }
        }
        CompletableFuture.allOf(batch.toArray(CompletableFuture[]::new)).get(3, TimeUnit.MINUTES);
        assertThat(abandoned).isEqualTo(keys / 100);
        await().atMost(SWEPT).untilAsserted(() -> assertThat(view.leftovers()).isEmpty());
        assertThat(view.leases()).isEmpty();
    }

    private static LockKey key(int i) {
        return switch (i % 3) {
            case 0 -> Tenancy.user("u" + i);
            case 1 -> Tenancy.account("u" + i % 1_000, "a" + i);
            default -> Tenancy.resource("u" + i % 1_000, "a" + i % 10_000, "r" + i);
        };
    }

    // ---- ends of all kinds

    @Test
    void anExpiredLeaseGoesAwayWithoutRequestsForItsKey() {
        Lease lease = locks.acquire(
                LockRequest.exclusive(Tenancy.resource("u1", "a1", "r1")).forTerm(TERM));
        assertThat(view.leftovers()).isNotEmpty();
        await().atMost(SWEPT).untilAsserted(() -> assertThat(view.leftovers()).isEmpty());
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void killedHoldersAndWaitersAreSweptAway(TestServer server) throws Exception {
        try (ChildJvm holder = realm.child();
                ChildJvm waiter = realm.child()) {
            assertThat(holder.ask("hold u1")).isEqualTo("held");
            waiter.tell("hold u1");
            await().atMost(Duration.ofMinutes(3)).until(() -> view.waiting() == 1);
            holder.kill();
            waiter.kill();
        }
        other.snapshot(); // a store that only looks is awake, and sweeps
        await().atMost(SWEPT).untilAsserted(() -> assertThat(view.leftovers()).isEmpty());
    }

    @Test
    void waitsThatEndInAnyWayLeaveNothing() throws Exception {
        for (int i = 0; i < Scale.pick(12, 50); i++) {
            Lease lease = locks.acquire(LockRequest.exclusive(Tenancy.user("u2")));
            LockRequest both = LockRequest.exclusive(Tenancy.user("u1"), Tenancy.user("u2"));
            assertThat(other.tryAcquire(both)).isInstanceOf(Busy.class);
            assertThat(other.tryAcquire(both.within(Duration.ofMillis(1 + i)))).isInstanceOf(Busy.class);
            cancel(both, i);
            interrupt(both, i);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(view.leases()).hasSize(1));
            lease.close();
            assertThat(view.leftovers()).isEmpty();
        }
    }

    private void cancel(LockRequest request, int millis) {
        CompletableFuture<Lease> future = other.acquireAsync(request);
        if (millis % 2 == 0) {
            await().atMost(Duration.ofSeconds(60)).until(() -> view.waiting() > 0);
        }
        assertThat(future.cancel(true)).isTrue();
    }

    private void interrupt(LockRequest request, int round) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(() -> other.acquire(request));
        thread.setUncaughtExceptionHandler((each, error) -> failure.set(error));
        thread.start();
        if (round % 2 == 0) {
            await().atMost(Duration.ofSeconds(60)).until(() -> view.waiting() > 0);
        }
        thread.interrupt();
        thread.join();
        assertThat(failure.get()).hasMessageContaining("nterrupted");
    }

    @Test
    void aStoreThatIsClosedTakesItsWaitsAlong() {
        Lease lease = locks.acquire(USER);
        CompletableFuture<Lease> waiter = other.acquireAsync(USER);
        await().atMost(Duration.ofSeconds(60)).until(() -> view.waiting() == 1);
        other.close();
        assertThat(waiter).failsWithin(Duration.ofSeconds(60));
        assertThat(view.waiting()).isZero();
        lease.close();
        assertThat(view.leftovers()).isEmpty();
    }
}
