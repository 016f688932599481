package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process passes a lock on among its own requests, and nobody sees a difference but in speed. */
@UsesServer(ServerKind.REDIS)
@Tag("slow")
@Timeout(600)
class HandOffTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final LockRequest USER =
            LockRequest.exclusive(Tenancy.user("u1")).within(Duration.ofMinutes(5));
    /** No shorter one has successors. */
    private static final Duration SHORT = Duration.ofSeconds(6);

    private static final int WAITERS = 4;
    private static final int ROUNDS = 100;

    private Realm realm;
    private RedisView view;
    private Locks locks;
    private Locks other;

    @BeforeEach
    void start(TestServer server) {
        realm = Realm.on(server, TERM, TERM).create();
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

    /** One that holds the lock, and others that wait for it. */
    private List<CompletableFuture<Lease>> queue(int count) {
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(locks.acquireAsync(USER.as("request " + i)));
            int queued = i;
            await().until(() -> view.leases().size() == queued + 1);
        }
        return all;
    }

    private static Lease in(CompletableFuture<Lease> future) throws Exception {
        return future.get(4, TimeUnit.MINUTES);
    }

    @Test
    void aRunLooksLikeOneHolderAndThoseThatWait() throws Exception {
        List<CompletableFuture<Lease>> all = queue(1 + WAITERS);
        CompletableFuture<Lease> behind = other.acquireAsync(USER.as("behind"));
        await().until(() -> view.leases().size() == 2 + WAITERS);

        in(all.get(0)).release();

        Lease first = in(all.get(1));
        assertThat(view.held()).as("all are granted on the server").hasSize(WAITERS);
        LockSnapshot snapshot = other.snapshot();
        assertThat(snapshot.holders()).extracting(HeldLock::owner).containsExactly("request 1");
        assertThat(snapshot.waiters())
                .extracting(WaitingLock::owner)
                .containsExactly("request 2", "request 3", "request 4", "behind");
        assertThat(snapshot.waiters().get(1).blockedBy())
                .extracting(blocker -> blocker.owner() + " " + blocker.waiting())
                .containsExactly("request 1 false", "request 2 true");
        assertThat(all.get(2)).isNotDone();

        long token = first.token().value();
        assertThat(first.release()).isEqualTo(ReleaseOutcome.RELEASED);
        for (CompletableFuture<Lease> each : all.subList(2, all.size())) {
            Lease lease = in(each);
            assertThat(lease.token().value()).isGreaterThan(token);
            token = lease.token().value();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(in(behind).token().value()).isGreaterThan(token);
        in(behind).release();
        assertThat(view.leftovers()).isEmpty();
    }

    @Test
    void oneThatGaveUpIsPassedOver() throws Exception {
        List<CompletableFuture<Lease>> all = queue(1 + WAITERS);
        in(all.get(0)).release();
        Lease first = in(all.get(1));
        assertThat(all.get(2).cancel(true)).isTrue();
        await().until(() -> view.leases().size() == WAITERS - 1);
        assertThat(all.get(3)).isNotDone();

        first.release();

        in(all.get(3)).release();
        in(all.get(4)).release();
        assertThat(view.leftovers()).isEmpty();
    }

    @Test
    void theOneThatHoldsItIsLeftInPeaceByThoseThatGiveUp() throws Exception {
        List<CompletableFuture<Lease>> all = queue(1 + WAITERS);
        in(all.get(0)).release();
        Lease first = in(all.get(1));
        all.subList(2, all.size()).forEach(each -> each.cancel(true));
        await().until(() -> view.leases().size() == 1);

        assertThat(other.tryAcquire(USER.withoutWaiting())).isNotInstanceOf(Granted.class);
        assertThat(first.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(view.leftovers()).isEmpty();
    }

    @Test
    void oneThatExpiresIsFollowedOnceAndItsReleaseChangesNothing() throws Exception {
        Lease before = locks.acquire(USER);
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (LockRequest request : List.of(USER.forTerm(SHORT), USER, USER)) {
            all.add(locks.acquireAsync(request));
            await().until(() -> view.waiting() == all.size());
        }
        before.release();
        Lease expiring = in(all.get(0));
        assertThat(view.held()).hasSize(all.size());

        Lease next = in(all.get(1));
        assertThat(expiring.isHeld()).isFalse();
        assertThat(expiring.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(all.get(2)).isNotDone();
        assertThat(other.tryAcquire(USER.withoutWaiting())).isNotInstanceOf(Granted.class);

        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(in(all.get(2)).release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(view.leftovers()).isEmpty();
    }

    /** Two processes; threads that give up at any moment; each holder sees itself alone, with a greater token than any before. */
    @Test
    void neverTwoAtATimeAndNobodyIsForgotten() throws Exception {
        new Crowd(locks, other).play(ROUNDS);
        await().until(() -> view.leftovers().isEmpty());
    }

    /** Replies are lost, so that a process may not know which of its requests were granted. */
    @Test
    void neverTwoAtATimeThoughConnectionsBreak(TestServer server) throws Exception {
        try (TcpProxy network = TcpProxy.to(server);
                Locks far = realm.locks(realm.at(server.url(network)).store())) {
            far.acquire(USER).close();
            Crowd crowd = new Crowd(locks, far);
            Thread cutter = new Thread(() -> {
                while (!crowd.isDone()) {
                    network.cut();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                }
            });
            cutter.start();
            crowd.play(ROUNDS / 4);
            cutter.join();
        }
    }

    private static final class Crowd {
        private static final int THREADS = 12;

        private final List<Locks> processes;
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicLong greatest = new AtomicLong();
        private volatile boolean done;

        Crowd(Locks... processes) {
            this.processes = List.of(processes);
        }

        boolean isDone() {
            return done;
        }

        void play(int rounds) throws Exception {
            List<CompletableFuture<Void>> all = IntStream.range(0, THREADS)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> {
                                Random random = new Random(i);
                                for (int round = 0; round < rounds; round++) {
                                    hold(processes.get(i % processes.size()), random);
                                }
                            },
                            Realm.NEW_THREAD))
                    .toList();
            try {
                for (CompletableFuture<Void> each : all) {
                    each.get(5, TimeUnit.MINUTES);
                }
            } finally {
                done = true;
            }
        }

        private void hold(Locks locks, Random random) {
            boolean givesUp = random.nextInt(4) == 0;
            LockRequest request = givesUp ? USER.within(Duration.ofMillis(1 + random.nextInt(10))) : USER;
            try {
                if (locks.tryAcquire(request) instanceof Granted granted) {
                    try (Lease lease = granted.lease()) {
                        alone(lease.token().value());
                    }
                } else {
                    assertThat(givesUp).isTrue();
                }
            } catch (LockException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
            }
        }

        private void alone(long token) {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            assertThat(greatest.getAndSet(token)).isLessThan(token);
            assertThat(inside.decrementAndGet()).isZero();
        }
    }
}
