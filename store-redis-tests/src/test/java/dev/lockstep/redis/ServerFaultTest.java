package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The server stands still, the network loses what was said, and both come back. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(900)
class ServerFaultTest {
    private static final Duration TERM = Duration.ofSeconds(20);
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration ANSWER = Duration.ofSeconds(3);

    /** What a busy machine may add. */
    private static final Duration SLACK = Duration.ofSeconds(60);

    /** Long enough for anything but a hang. */
    private static final Duration SOON = Duration.ofMinutes(3);

    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    private PrivateServer server;
    private TcpProxy network;
    private Realm realm;
    private Locks near;
    private Locks far;
    private RedisView view;

    /** One party is next to the server, the other one behind a network that breaks. */
    @BeforeEach
    void start(PrivateServer own) {
        server = own;
        network = TcpProxy.to(server);
        realm = Realm.on(server, LONGEST, TERM).create();
        near = realm.locks();
        far = realm.locks(realm.at(server.url(network)).store().answerWithin(ANSWER));
        view = new RedisView(server, realm);
        near.acquire(USER).close();
        far.acquire(USER).close();
    }

    @AfterEach
    void stop() {
        server.resume();
        network.thaw();
        view.close();
        far.close();
        near.close();
        network.close();
    }

    private static Lease in(CompletableFuture<Lease> future) throws Exception {
        return future.get(4, TimeUnit.MINUTES);
    }

    private static void assertUnavailable(ThrowingCallable call, Duration atMost) {
        long start = System.nanoTime();
        LockException error = catchThrowableOfType(LockException.class, call);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(atMost.plus(SLACK));
        assertThat(error).isNotNull();
        assertThat(error.code()).as(error.toString()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(error.retryable()).isTrue();
    }

    // ---- the network

    @Test
    void aWaitOutlivesACutConnection() throws Exception {
        for (int i = 0; i < 5; i++) {
            Lease lease = near.acquire(USER);
            CompletableFuture<Lease> waiter = far.acquireAsync(USER);
            await().atMost(SOON).until(() -> view.waiting() == 1);
            network.cut();
            lease.close();
            in(waiter).close();
        }
        assertThat(view.leftovers()).isEmpty();
    }

    @Test
    void aWaitOutlivesANetworkThatIsDownForAWhile() throws Exception {
        Lease lease = near.acquire(USER);
        CompletableFuture<Lease> waiter = far.acquireAsync(USER);
        await().atMost(SOON).until(() -> view.waiting() == 1);
        network.refuse();
        network.cut();
        assertUnavailable(() -> far.tryAcquire(USER), ANSWER);
        await("its place is no longer kept for it")
                .atMost(SOON)
                .until(() ->
                        view.leases().stream().noneMatch(entry -> entry.waits() && entry.expiry() > Realm.micros()));
        network.accept();
        await().atMost(SOON).until(() -> view.waiting() == 1);
        lease.close();
        in(waiter).close();
        assertThat(view.leftovers()).isEmpty();
    }

    /** The server let the waiter in, and the waiter never heard of it. */
    @Test
    void aGrantWhoseAnswerWasLostIsHadByAskingAgain() throws Exception {
        // Its place is kept for as long as it waits for an answer, and a bit longer.
        try (Locks patient = realm.locks(realm.at(server.url(network)).store().answerWithin(LONGEST))) {
            Lease lease = near.acquire(USER);
            CompletableFuture<Lease> waiter = patient.acquireAsync(USER.forTerm(LONGEST));
            await().atMost(SOON).until(() -> view.waiting() == 1);
            network.freeze();
            lease.close();
            RedisView.Entry granted = view.held().get(0);
            network.cut();
            network.thaw();
            assertIs(granted, in(waiter));
        }
    }

    private void assertIs(RedisView.Entry granted, Lease next) {
        assertThat(next.id()).hasToString(granted.id());
        assertThat(next.token().value()).isEqualTo(granted.token());
        assertThat(view.held())
                .singleElement()
                .satisfies(held -> assertThat(held.expiry())
                        .isGreaterThan(granted.token() + NamespaceGeneration.micros(TERM) - 1));
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(view.leftovers()).isEmpty();
    }

    /** The server did what the very first call asked for, and the answer was lost. */
    @Test
    void aLockWhoseFirstAnswerWasLostIsHadByAskingAgain() throws Exception {
        CompletableFuture<Lease> waiter = loseTheAnswerTo(USER);
        RedisView.Entry granted = view.held().get(0);
        network.cut();
        network.thaw();
        Lease lease = in(waiter);

        assertThat(lease.id()).hasToString(granted.id());
        assertThat(lease.token().value()).isEqualTo(granted.token());
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(view.leftovers()).isEmpty();
    }

    @Test
    void aLockWhoseGrantWasLostStaysNoLongerThanItsTerm() throws Exception {
        CompletableFuture<Lease> attempt = loseTheAnswerTo(USER.withoutWaiting());
        RedisView.Entry granted = view.held().get(0);
        network.refuse();
        network.cut();
        assertUnavailable(() -> join(attempt), ANSWER);
        try (Lease next = near.acquire(USER)) {
            assertThat(next.token().value())
                    .isBetween(granted.expiry(), granted.token() + NamespaceGeneration.micros(TERM.plus(SLACK)));
        }
        assertThat(view.leftovers()).isEmpty();
    }

    private static void join(CompletableFuture<Lease> attempt) throws Throwable {
        try {
            in(attempt);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    /** The request reaches the server, and its answer can't get through. */
    private CompletableFuture<Lease> loseTheAnswerTo(LockRequest request) {
        network.freezeAnswers();
        CompletableFuture<Lease> future = far.acquireAsync(request);
        await().atMost(SOON).until(() -> view.held().size() == 1);
        return future;
    }

    /** The connection that is made meanwhile is never answered; it must not hold up those who come later. */
    @Test
    void aHandshakeThatIsNeverAnsweredIsGivenUp() throws Exception {
        network.cut();
        network.freeze();
        assertUnavailable(() -> far.tryAcquire(USER), ANSWER);
        assertUnavailable(() -> join(far.acquireAsync(USER.within(ANSWER))), ANSWER.multipliedBy(2));
        CompletableFuture<Lease> waiter = far.acquireAsync(USER);
        await().atMost(SOON).pollDelay(ANSWER.multipliedBy(2)).until(() -> !waiter.isDone());
        network.thaw();
        in(waiter).close();
    }

    @Test
    void aSlowNetworkIsNoFault() throws Exception {
        network.delay(Duration.ofMillis(100));
        for (int i = 0; i < 5; i++) {
            Lease lease = near.acquire(USER);
            CompletableFuture<Lease> waiter = far.acquireAsync(USER);
            await().atMost(SOON).until(() -> view.waiting() == 1);
            lease.close();
            in(waiter).close();
        }
    }

    // ---- the server

    @Test
    void callsToAServerThatStandsStillEndInBoundedTimeAndWorkAgainAfterwards() throws Exception {
        Lease lease = near.acquire(USER);
        CompletableFuture<Lease> waiter = far.acquireAsync(USER);
        await().atMost(SOON).until(() -> view.waiting() == 1);
        server.pause();
        LockRequest other = LockRequest.exclusive(Tenancy.user("u2"));
        assertUnavailable(() -> far.tryAcquire(other), ANSWER);
        assertUnavailable(() -> far.acquire(other.within(ANSWER)), ANSWER.multipliedBy(2));
        assertUnavailable(() -> join(far.acquireAsync(other.within(ANSWER))), ANSWER.multipliedBy(2));
        assertUnavailable(far::snapshot, ANSWER);
        await("the holder no longer counts on it").atMost(SOON).until(() -> !lease.isHeld());
        assertThat(waiter).isNotDone();
        server.resume();

        in(waiter).close();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        await("both listen for hints again").atMost(SOON).until(() -> view.listeners() == 2);
        // What the server was asked before nobody waited for it any more may be locked until its term has expired.
        Lease late = far.acquire(other);
        late.renew();
        assertThat(late.release()).isEqualTo(ReleaseOutcome.RELEASED);
        await().atMost(SOON).untilAsserted(() -> assertThat(view.leftovers()).isEmpty());
    }

    @Test
    void aShortStandstillCostsNoLease() throws Exception {
        try (Locks patient = realm.locks(realm.store().answerWithin(LONGEST))) {
            Lease lease = patient.acquire(USER.forTerm(LONGEST));
            CompletableFuture<Lease> waiter = far.acquireAsync(USER);
            await().atMost(SOON).until(() -> view.waiting() == 1);
            server.pause();
            CompletableFuture<Void> renewal = CompletableFuture.runAsync(lease::renew, Realm.NEW_THREAD);
            await().atMost(SOON).pollDelay(Duration.ofMillis(700)).until(() -> !renewal.isDone());
            server.resume();
            renewal.get(4, TimeUnit.MINUTES);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            in(waiter).close();
        }
    }

    @Test
    void aWaitThatEndsWhileTheServerIsDeadSaysSo() {
        server.kill();
        assertUnavailable(() -> far.acquire(USER.within(Duration.ofSeconds(1))), Duration.ofSeconds(2));
        assertUnavailable(() -> near.tryAcquire(USER), Duration.ofSeconds(3));
        server.restart();
    }
}
