package dev.lockstep.redis;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What users of other locks on Redis complain about most; each test shows a naive lock with the pain, and ours without. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class PainsTest {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    /** Of what is to end. */
    private static final Duration TERM = Duration.ofSeconds(1);

    /** Of what is to stay: a machine may stand still for seconds, and then a lease is rightly lost. */
    private static final Duration LASTING = Duration.ofSeconds(15);

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private static final Duration SOON = Duration.ofMinutes(2);
    private static final LockKey KEY = user("u1");

    private final String namespace = "pains-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet();
    private final List<AutoCloseable> open = new ArrayList<>();
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;
    private TcpProxy proxy;
    private Locks near;
    private Locks far;

    @BeforeEach
    void connect() {
        client = RedisClient.create(TestServers.redis().url());
        connection = client.connect();
        proxy = keep(TcpProxy.to(TestServers.redis()));
        near = locks(TestServers.redis().url(), true);
        far = locks(TestServers.redis().url(proxy), false);
    }

    private Locks locks(String url, boolean first) {
        RedisLockStore store =
                RedisLockStore.at(url).namespace(namespace).longestTerm(LONGEST).answerWithin(Duration.ofSeconds(20));
        return keep(Locks.builder(first ? store.createNamespace() : store)
                .defaultTerm(LASTING)
                .defaultWait(SOON)
                .build());
    }

    private <T extends AutoCloseable> T keep(T resource) {
        open.add(0, resource);
        return resource;
    }

    private NaiveLock naive(Duration term) {
        return keep(new NaiveLock(connection, "naive:" + namespace, term));
    }

    @AfterEach
    void disconnect() throws Exception {
        proxy.thaw();
        for (AutoCloseable each : open) {
            each.close();
        }
        connection.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }

    private boolean isFree() {
        if (near.tryAcquire(exclusive(KEY).withoutWaiting()) instanceof Granted granted) {
            granted.lease().close();
            return true;
        }
        return false;
    }

    @Test
    @DisplayName("pain 1: renewal fails and the holder never learns")
    void renewalFailsAndTheHolderLearns() throws Exception {
        NaiveLock naive = naive(TERM);
        assertThat(naive.tryLock()).isTrue();
        naive.keepAlive().cancel(true); // the renewal fails, and nothing in the hands of the holder tells
        await().atMost(SOON).until(naive::tryLock);

        Lease lease = far.acquire(exclusive(KEY));
        CompletableFuture<Loss> lost = lease.lost().toCompletableFuture();
        proxy.freeze();
        try (Lease heir = near.acquire(exclusive(KEY))) {
            assertThat(lease.isHeld())
                    .as("what the holder believes when another has the lock")
                    .isFalse();
            assertThat(heir.token()).isGreaterThan(lease.token());
        }
        assertThat(lost).succeedsWithin(SOON).extracting(Loss::reason).isEqualTo(Loss.Reason.UNCONFIRMED);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("pain 2: renewal outlives the unlock, the lock is held forever")
    void renewalNeverOutlivesTheUnlock() throws Exception {
        NaiveLock naive = naive(LASTING);
        assertThat(naive.tryLock()).isTrue();
        naive.unlock();
        naive.renew(); // it was on its way already
        assertThat(naive.isFree()).isFalse();

        for (int round = 0; round < Scale.pick(75, 300); round++) {
            Lease lease = near.acquire(exclusive(KEY));
            Thread renewing = new Thread(() -> renewUntilClosed(lease), "renewing");
            renewing.start();
            if (round % 2 == 0) {
                Thread.onSpinWait();
            } else {
                lease.renew();
            }
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(isFree()).as("round %d", round).isTrue();
            renewing.join();
            assertThat(isFree()).as("round %d, afterwards", round).isTrue();
        }
    }

    private static void renewUntilClosed(Lease lease) {
        try {
            while (true) {
                lease.renew();
            }
        } catch (LeaseLostException e) {
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Test
    @DisplayName("pain 2: a lease that is not closed ends with its longest hold")
    void forgottenLeaseEnds() {
        near.acquire(exclusive(KEY).atMost(LASTING.plus(TERM)));
        CompletableFuture<Lease> next = far.acquireAsync(exclusive(KEY));
        assertThat(next).succeedsWithin(SOON);
        next.join().close();
    }

    @Test
    @DisplayName("pain 3: the renewer dies or starves")
    void renewerNeitherDiesNorStarves() throws Exception {
        NaiveLock naive = naive(TERM);
        assertThat(naive.tryLock()).isTrue();
        Future<?> renewal = naive.keepAlive();
        CountDownLatch end = new CountDownLatch(1);
        keep(end::countDown);
        naive.renewer().execute(() -> awaitQuietly(end)); // someone's slow callback
        await().atMost(SOON).until(naive::isFree);
        assertThat(renewal.isDone()).isFalse();

        Duration term = LASTING.multipliedBy(2); // a hundred renewals take a busy machine a while
        Locks busy = keep(Locks.builder(RedisLockStore.at(TestServers.redis().url())
                        .namespace(namespace)
                        .longestTerm(LONGEST)
                        .answerWithin(Duration.ofSeconds(20)))
                .defaultTerm(term)
                .defaultWait(SOON)
                .listener(event -> awaitQuietly(end))
                .build());
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Lease lease = busy.acquireAsync(exclusive(user("many" + i))).join();
            lease.lost().thenRun(() -> awaitQuietly(end));
            leases.add(lease);
        }
        Lease brief =
                busy.acquireAsync(exclusive(user("brief")).forTerm(LASTING)).join();
        brief.lost().thenRun(() -> {
            throw new IllegalStateException("a callback that fails");
        });
        await().atMost(SOON).until(() -> !brief.isHeld());
        Lease later = busy.acquireAsync(exclusive(user("later")).forTerm(term.plus(TERM)))
                .join();
        await().atMost(SOON).until(() -> !later.isHeld());
        assertThat(leases).allMatch(Lease::isHeld);
        leases.forEach(Lease::ensureHeld);
        assertThat(leases).extracting(Lease::release).containsOnly(ReleaseOutcome.RELEASED);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @DisplayName("pain 4: \"not locked by current thread\"")
    void anyThreadMayClose() {
        NaiveLock naive = naive(LASTING);
        assertThat(naive.tryLock()).isTrue();
        CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(naive::unlock);
        assertThatThrownBy(elsewhere::join).hasRootCauseInstanceOf(IllegalMonitorStateException.class);

        Lease lease = near.acquire(exclusive(KEY));
        assertThat(CompletableFuture.supplyAsync(lease::release).join()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        Lease brief = near.acquire(exclusive(KEY).forTerm(LASTING));
        try (Lease heir = far.acquire(exclusive(KEY))) {
            assertThat(brief.release()).as("it was over").isEqualTo(ReleaseOutcome.LOST);
            assertThat(heir.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("pain 5: an interrupt during acquire orphans the lock")
    void interruptLeavesNoOrphan() throws Exception {
        NaiveLock naive = naive(LASTING);
        Thread.currentThread().interrupt();
        assertThatThrownBy(naive::lockInterruptibly).isInstanceOf(InterruptedException.class);
        await().atMost(SOON).until(() -> !naive.isFree()); // and nobody has anything to unlock

        far.acquire(exclusive(KEY)).close();
        Duration longer = LASTING.multipliedBy(4);
        for (int round = 0; round < 20; round++) {
            proxy.delay(Duration.ofMillis(round % 5 * 10L));
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread interrupted = new Thread(() -> {
                try {
                    far.acquire(exclusive(KEY).forTerm(longer)).close();
                } catch (LockException e) {
                    failure.set(e);
                }
            });
            interrupted.start();
            TimeUnit.MILLISECONDS.sleep(round); // anywhere between before the call and after the answer
            interrupted.interrupt();
            interrupted.join();
            assertThat(isFree()).as("round %d", round).isTrue();
            if (failure.get() instanceof LockException error) {
                assertThat(error.code()).isEqualTo(ErrorCode.INTERRUPTED);
            }
        }
    }
}
