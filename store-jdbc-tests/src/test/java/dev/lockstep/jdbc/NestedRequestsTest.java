package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several leases of one holder live in one transaction; what happens to one must not happen to the others. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class NestedRequestsTest {
    private static final Duration TERM = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(3);

    private static final class Scene implements AutoCloseable {
        final LockDatabase database;
        final Locks locks;
        final Locks others;

        Scene(Server server) throws Exception {
            database = LockDatabase.on(server);
            locks = on(database);
            others = on(database);
        }

        private static Locks on(LockDatabase database) {
            return Locks.builder(database.store())
                    .defaultTerm(TERM)
                    .defaultWait(LONG)
                    .orderPolicy(OrderPolicy.OFF)
                    .build();
        }

        Attempt otherTries(LockKey key) {
            return others.tryAcquire(exclusive(key));
        }

        boolean isFree(LockKey key) {
            if (others.tryAcquire(exclusive(key).within(LONG)) instanceof Granted granted) {
                granted.lease().close();
                return true;
            }
            return false;
        }

        void awaitWaitOnServer() {
            Awaitility.await().until(() -> database.waits() > 0);
        }

        @Override
        public void close() throws SQLException {
            others.close();
            locks.close();
            Awaitility.await().until(() -> database.locks() == 0);
            database.close();
        }
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task, "nested").start();
        return task;
    }

    /** Waits until every lease that was granted before and not renewed since would have ended, also where servers count whole seconds. */
    private static void awaitATermPassed() {
        Instant end = Instant.now().plus(TERM).plusSeconds(1);
        Awaitility.await().until(() -> Instant.now().isAfter(end));
    }

    @ParameterizedTest
    @EnumSource
    void theOuterLeaseIsRenewedWhileANestedRequestWaits(Server server) throws Exception {
        try (Scene scene = new Scene(server)) {
            Lease theirs = scene.others.acquire(exclusive(resource("u1", "a1", "r1")));
            Lease outer = scene.locks.acquire(exclusive(account("u2", "a2")));
            FutureTask<Lease> nested = start(outer.bind(() ->
                    scene.locks.acquire(exclusive(resource("u1", "a1", "r1")).within(LONG))));
            scene.awaitWaitOnServer();
            awaitATermPassed();
            assertThat(outer.isHeld()).isTrue();
            assertThat(scene.otherTries(account("u2", "a2"))).isInstanceOf(Busy.class);
            theirs.close();
            nested.get(4, TimeUnit.MINUTES).close();
            assertThat(outer.isHeld()).isTrue();
            outer.close();
            assertThat(scene.isFree(account("u2", "a2"))).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseBesideANestedRequestTakesNothingAwayFromIt(Server server) throws Exception {
        try (Scene scene = new Scene(server)) {
            Lease theirs = scene.others.acquire(exclusive(resource("u9", "a9", "r9")));
            Lease outer = scene.locks.acquire(exclusive(user("u1")));
            Lease inner = scene.locks.acquire(exclusive(account("u2", "a2")));
            List<LockKey> set = new ArrayList<>(List.of(resource("u3", "a3", "r3"), resource("u9", "a9", "r9")));
            set.add(resource("u4", "a4", "r4"));
            FutureTask<Lease> nested =
                    start(outer.bind(() -> scene.locks.acquire(exclusive(set).within(LONG))));
            scene.awaitWaitOnServer();
            inner.close();
            awaitATermPassed();
            theirs.close();
            Lease lease = nested.get(4, TimeUnit.MINUTES);
            assertThat(lease.isHeld()).isTrue();
            for (LockKey key : set) {
                assertThat(scene.otherTries(key)).as("%s", key).isInstanceOf(Busy.class);
            }
            lease.close();
            outer.close();
            for (LockKey key : set) {
                assertThat(scene.isFree(key)).as("%s", key).isTrue();
            }
            assertThat(scene.isFree(user("u1"))).isTrue();
            assertThat(scene.isFree(account("u2", "a2"))).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInnerLeaseOutlivesTheOuterOne(Server server) throws Exception {
        try (Scene scene = new Scene(server)) {
            Lease outer = scene.locks.acquire(exclusive(user("u1")));
            Lease inner = scene.locks.acquire(exclusive(account("u2", "a2")));
            outer.close();
            awaitATermPassed();
            assertThat(inner.isHeld()).isTrue();
            assertThat(scene.otherTries(account("u2", "a2"))).isInstanceOf(Busy.class);
            inner.close();
            assertThat(scene.isFree(user("u1"))).isTrue();
            assertThat(scene.isFree(account("u2", "a2"))).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theVictimOfADeadlockLosesNothingOfOthers(Server server) throws Exception {
        try (Scene scene = new Scene(server)) {
            for (int round = 0; round < 3; round++) {
                LockKey one = resource("u1", "a1", "r1");
                LockKey two = resource("u1", "a1", "r2");
                Lease first = scene.locks.acquire(exclusive(one));
                Lease inner = scene.locks.acquire(exclusive(user("u5")));
                Lease theirs = scene.others.acquire(exclusive(two));
                FutureTask<Lease> back = start(
                        theirs.bind(() -> scene.others.acquire(exclusive(one).within(LONG))));
                scene.awaitWaitOnServer();
                FutureTask<Lease> forth = start(
                        first.bind(() -> scene.locks.acquire(exclusive(two).within(LONG))));
                Awaitility.await().atMost(LONG).until(() -> isVictim(forth) || isVictim(back));
                FutureTask<Lease> survivor = isVictim(forth) ? back : forth;
                Lease outer = isVictim(forth) ? first : theirs;
                assertThat(outer.isHeld())
                        .as("MySQL and MariaDB roll the whole transaction back, and the holder must know")
                        .isEqualTo(server == Server.POSTGRES);
                Lease bystander =
                        start(() -> scene.locks.acquire(exclusive(user("u7")))).get(4, TimeUnit.MINUTES);
                outer.close();
                survivor.get(4, TimeUnit.MINUTES).close();
                inner.close();
                first.close();
                theirs.close();
                assertThat(scene.otherTries(user("u7"))).isInstanceOf(Busy.class);
                assertThat(bystander.isHeld()).isTrue();
                bystander.close();
            }
        }
    }

    private static boolean isVictim(FutureTask<Lease> task) throws InterruptedException {
        if (!task.isDone()) {
            return false;
        }
        try {
            task.get();
            return false;
        } catch (ExecutionException e) {
            assertThat(e).cause().isInstanceOf(DeadlockException.class);
            return true;
        }
    }
}
