package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that has forgotten leases gives no lock away that may still be in use. Tokens tell when a lock was granted: they are
 * microseconds of the server's clock, which is this machine's.
 */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("once")
@Timeout(600)
class AmnesiaTest {
    private static final Duration LONGEST = Duration.ofSeconds(8);
    private static final Duration TERM = Duration.ofSeconds(6);
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    /** The servers that the tests start. */
    ServerKind kind() {
        return ServerKind.REDIS;
    }

    private PrivateServer start(String... options) {
        return TestServers.start(kind(), options);
    }

    private static Realm realm(PrivateServer server) {
        return Realm.on(server, LONGEST, TERM).create();
    }

    private static Lease in(CompletableFuture<Lease> future) throws Exception {
        return future.get(4, TimeUnit.MINUTES);
    }

    /** Checks what is so for this time from then on. On a machine that stood still until most of it was over, nothing can be said. */
    private static void during(Duration time, long since, Runnable check) {
        try {
            check.run();
        } catch (AssertionError e) {
            if (Realm.micros() - since < NamespaceGeneration.micros(time) / 8 * 7) {
                throw e;
            }
        }
    }

    /** Of a lease for the longest term. */
    private static void assertHeldSince(long asked, Lease lease) {
        during(
                LONGEST,
                asked,
                () -> assertThat(lease.isHeld())
                        .as("%s is held though the server forgot it", lease)
                        .isTrue());
    }

    /** Of a lease that was just granted, for the usual term. */
    private static void assertReleased(Lease lease) {
        during(TERM, lease.token().value(), () -> {
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        });
    }

    private static void assertGrantedAfter(long forgotten, Lease lease) {
        assertThat(lease.token().value() - forgotten)
                .as("microseconds between the loss and %s", lease)
                .isGreaterThanOrEqualTo(NamespaceGeneration.micros(LONGEST));
    }

    /** After a restart of the server: until then, calls that don't wait fail for lack of a connection. */
    private static void awaitConnection(Locks locks) {
        Awaitility.await().ignoreExceptionsInstanceOf(LockException.class).untilAsserted(locks::snapshot);
    }

    /** Of a server that forgot what it knew not before then. */
    private static void assertQuiet(Locks locks, long forgotten) {
        during(LONGEST, forgotten, () -> assertQuiet(locks));
    }

    private static void assertQuiet(Locks locks) {
        assertThatThrownBy(() -> locks.tryAcquire(USER)).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
            assertThat(e.retryable()).isTrue();
            assertThat(e)
                    .hasMessageContaining("grants no lock for another")
                    .hasMessageContaining("restarted or replaced");
        });
    }

    // ---- never twice

    @ParameterizedTest
    @EnumSource
    void aLeaseThatTheServerForgotIsNotGivenAwayWhileItsHolderCountsOnIt(Amnesia amnesia) throws Exception {
        try (PrivateServer server = amnesia.server(kind())) {
            Realm realm = realm(server);
            try (Locks holder = realm.locks();
                    Locks other = realm.locks()) {
                FencingToken earlier = tokenOf(other);
                amnesia.beforeTheLease(server);
                long asked = Realm.micros();
                Lease lease = holder.acquire(USER.forTerm(LONGEST));
                long forgotten = Realm.micros();
                amnesia.strike(server, realm);
                CompletableFuture<Lease> waiter = other.acquireAsync(USER);
                assertHeldSince(asked, lease);
                Lease next = in(waiter);

                assertThat(lease.isHeld()).isFalse();
                assertGrantedAfter(forgotten, next);
                assertThat(next.token()).isGreaterThan(lease.token()).isGreaterThan(earlier);
                assertThat(lease.lost().toCompletableFuture()).succeedsWithin(Duration.ofMinutes(2));
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
                assertReleased(next);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseThatIsRenewedIsLostAtTheNextRenewal(Amnesia amnesia) throws Exception {
        try (PrivateServer server = amnesia.server(kind())) {
            Realm realm = realm(server);
            try (Locks holder = realm.locks();
                    ChildJvm other = realm.child()) {
                assertThat(other.ask("hold u1")).isEqualTo("held");
                assertThat(other.ask("release")).isEqualTo("RELEASED");
                amnesia.beforeTheLease(server);
                Lease lease = holder.acquire(USER);
                long forgotten = Realm.micros();
                amnesia.strike(server, realm);
                Awaitility.await().until(() -> isQuiet(other, forgotten));
                Loss loss = lease.lost().toCompletableFuture().get(2, TimeUnit.MINUTES);

                assertThat(loss.reason()).isIn(Loss.Reason.REFUSED, Loss.Reason.UNCONFIRMED);
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
                assertThat(other.ask("hold u1")).isEqualTo("held");
                long next = Long.parseLong(other.ask("token"));
                assertThat(next - forgotten).isGreaterThanOrEqualTo(NamespaceGeneration.micros(LONGEST));
                assertThat(next).isGreaterThan(lease.token().value());
            }
        }
    }

    /**
     * Whether a server that forgot what it knew says that it grants nothing, or may grant again. A connection that has to be made anew is no
     * lock either.
     */
    private static boolean isQuiet(ChildJvm other, long forgotten) throws IOException {
        String answer = other.ask("try u1");
        boolean over = Realm.micros() - forgotten > NamespaceGeneration.micros(LONGEST);
        if (over && answer.equals("held")) {
            other.ask("release");
        }
        assertThat(over || (!answer.equals("held") && !answer.equals("busy")))
                .as(answer)
                .isTrue();
        return over || answer.contains("grants no lock for another");
    }

    private static FencingToken tokenOf(Locks locks) {
        try (Lease lease = locks.acquire(USER)) {
            return lease.token();
        }
    }

    // ---- what an old snapshot knows

    private PrivateServer withSnapshots() {
        return start("--appendonly", "no");
    }

    @Test
    void aLeaseOfTheSnapshotIsNotRenewedInTheNewLife() throws Exception {
        try (PrivateServer server = withSnapshots()) {
            Realm realm = realm(server);
            try (Locks holder = realm.locks();
                    Locks other = realm.locks()) {
                long asked = Realm.micros();
                Lease lease = holder.acquire(USER.forTerm(LONGEST));
                Amnesia.command(server, "SAVE");
                long killed = Realm.micros();
                server.restart();
                awaitConnection(holder);

                assertHeldSince(asked, lease);
                assertThatThrownBy(lease::renew)
                        .isInstanceOfSatisfying(LeaseLostException.class, e -> assertRefused(asked, e.loss()));
                assertThat(lease.isHeld()).isFalse();
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
                assertGrantedAfter(killed, other.acquire(USER));
            }
        }
    }

    /** The server took it, not time. */
    private static void assertRefused(long asked, Loss loss) {
        if (Realm.micros() - asked < NamespaceGeneration.micros(LONGEST) / 8 * 7) {
            assertThat(loss.reason()).isEqualTo(Loss.Reason.REFUSED);
        }
    }

    @Test
    void aLeaseThatWasReleasedAfterTheSnapshotHasNoEffect() throws Exception {
        try (PrivateServer server = withSnapshots()) {
            Realm realm = realm(server);
            try (Locks first = realm.locks();
                    Locks second = realm.locks();
                    Locks third = realm.locks()) {
                Lease before = first.acquire(USER);
                Amnesia.command(server, "SAVE");
                assertThat(before.release()).isEqualTo(ReleaseOutcome.RELEASED);
                Lease lease = second.acquire(USER.forTerm(LONGEST));
                long killed = Realm.micros();
                server.restart();
                CompletableFuture<Lease> waiter = third.acquireAsync(USER);
                awaitConnection(first);
                assertQuiet(first, killed);
                Lease next = in(waiter);

                assertThat(lease.isHeld()).isFalse();
                assertGrantedAfter(killed, next);
                assertThat(next.token()).isGreaterThan(lease.token());
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
                during(TERM, next.token().value(), () -> {
                    assertThatCode(next::renew).doesNotThrowAnyException();
                    assertThat(next.isHeld()).isTrue();
                });
            }
        }
    }

    @Test
    void aWaiterOfTheSnapshotIsNotLetInByALateRelease() throws Exception {
        try (PrivateServer server = withSnapshots()) {
            Realm realm = realm(server);
            try (Locks first = realm.locks();
                    Locks second = realm.locks();
                    Locks third = realm.locks()) {
                AtomicLong killed = new AtomicLong();
                Consumer<Lease> use = lease -> {
                    try (lease) {
                        assertGrantedAfter(killed.get(), lease);
                    }
                };
                Lease before = first.acquire(USER.forTerm(LONGEST));
                CompletableFuture<Void> waiter = second.acquireAsync(USER).thenAccept(use);
                Awaitility.await().until(() -> first.snapshot().waiters().size() == 1);
                Amnesia.command(server, "SAVE");
                killed.set(Realm.micros());
                server.restart();
                before.release();
                CompletableFuture<Void> newcomer = third.acquireAsync(USER).thenAccept(use);

                waiter.get(4, TimeUnit.MINUTES);
                newcomer.get(4, TimeUnit.MINUTES);
            }
        }
    }

    // ---- a replica that takes over

    @Test
    void aReplicaGrantsNothingBeforeItIsPromotedNorUntilTheLongestTermIsOver() throws Exception {
        try (PrivateServer master = start();
                PrivateServer replica = start("--replicaof", master.host(), Integer.toString(master.port()))) {
            Realm realm = realm(master);
            try (RedisAdmin admin = new RedisAdmin(replica);
                    Locks holder = realm.locks();
                    Locks other = realm.at(replica.url()).locks()) {
                Awaitility.await().until(() -> admin.info("replication").contains("master_link_status:up"));
                Lease lease = holder.acquire(USER.forTerm(LONGEST));
                Amnesia.command(master, "WAIT 1 60000");
                assertThatThrownBy(() -> other.tryAcquire(USER))
                        .isInstanceOf(LockException.class)
                        .hasMessageContaining("connect to the master");
                long promoted = Realm.micros();
                admin.run("REPLICAOF NO ONE");
                assertQuiet(other, promoted);
                Lease next = other.acquire(USER);

                assertThat(lease.isHeld()).isFalse();
                assertGrantedAfter(promoted, next);
                assertThat(next.token()).isGreaterThan(lease.token());
            }
        }
    }

    /** The master granted locks in a namespace of which the replica never heard, and the replica is old enough to believe itself. */
    @Test
    void aReplicaThatKnowsNothingOfTheNamespaceWaits() throws Exception {
        try (PrivateServer master = start();
                TcpProxy between = TcpProxy.to(master);
                PrivateServer replica = start("--replicaof", between.host(), Integer.toString(between.port()));
                RedisAdmin admin = new RedisAdmin(replica)) {
            Awaitility.await()
                    .until(() -> admin.info("replication").contains("master_link_status:up")
                            && NewNamespaceTest.uptime(admin) > LONGEST.toSeconds() + 1);
            between.refuse();
            between.cut();
            Realm realm = realm(master);
            try (Locks holder = realm.locks();
                    Locks other = realm.at(replica.url()).locks()) {
                Lease lease = holder.acquire(USER.forTerm(LONGEST));
                long granted = lease.token().value();
                assertThat(admin.keys()).isZero();
                admin.run("REPLICAOF NO ONE");
                Lease next = other.acquire(USER);

                assertThat(lease.isHeld()).isFalse();
                assertGrantedAfter(granted, next);
            }
        }
    }

    /** The first master comes back in the same run, with what its replica knew, which nobody asked in the meantime. */
    @Test
    void aMasterThatWasAReplicaInBetweenWaits() throws Exception {
        try (PrivateServer master = start();
                TcpProxy between = TcpProxy.to(master);
                PrivateServer replica = start("--replicaof", between.host(), Integer.toString(between.port()));
                RedisAdmin onMaster = new RedisAdmin(master);
                RedisAdmin onReplica = new RedisAdmin(replica)) {
            Realm realm = realm(master);
            Awaitility.await().until(() -> onReplica.info("replication").contains("master_link_status:up"));
            try (Locks holder = realm.locks();
                    Locks other = realm.locks()) {
                other.acquire(USER).close();
                onMaster.run("WAIT 1 60000");
                between.refuse();
                between.cut();
                Lease lease = holder.acquire(USER.forTerm(LONGEST));
                onReplica.run("REPLICAOF NO ONE");
                onMaster.run("REPLICAOF " + replica.host() + " " + replica.port());
                Awaitility.await().until(() -> onMaster.info("replication").contains("master_link_status:up"));
                long promoted = Realm.micros();
                onMaster.run("REPLICAOF NO ONE");
                assertQuiet(other, promoted);
                Lease next = other.acquire(USER);

                assertThat(lease.isHeld()).isFalse();
                assertThat(next.token()).isGreaterThan(lease.token());
            }
        }
    }
}
