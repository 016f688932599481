package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.jdbc.sql.SqlFault;
import dev.lockstep.jdbc.tables.Fnv1a;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two sets of users whose rows come in one order in the first set, and in the other one in the second, when sorted by id. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class CrossingBucketsTest {
    private static final int BUCKETS = 31;
    private static final int ROUNDS = Scale.pick(100, 2_000);

    /** Two users in the order of their ids. */
    private record Pair(LockKey first, LockKey second) {
        int firstBucket() {
            return bucket(first);
        }

        int secondBucket() {
            return bucket(second);
        }

        boolean crosses(Pair other) {
            return firstBucket() == other.secondBucket()
                    && secondBucket() == other.firstBucket()
                    && firstBucket() != secondBucket();
        }
    }

    private static int bucket(LockKey user) {
        return Fnv1a.bucket(user.canonicalBytes(), BUCKETS);
    }

    /** Two pairs without a common user. */
    private static List<Pair> crossing() {
        List<LockKey> users =
                IntStream.range(100, 300).mapToObj(i -> Tenancy.user("u" + i)).toList();
        for (int i = 0; i + 1 < users.size(); i++) {
            Pair one = new Pair(users.get(i), users.get(i + 1));
            for (int j = i + 2; j < users.size(); j++) {
                for (int k = j + 1; k < users.size(); k++) {
                    Pair other = new Pair(users.get(j), users.get(k));
                    if (one.crosses(other)) {
                        return List.of(one, other);
                    }
                }
            }
        }
        throw new IllegalStateException("no crossing pairs");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void rowsTakenInTheOrderOfTheIdsDeadlock(Server server) throws SQLException {
        Pair one = crossing().get(0);
        Pair other = crossing().get(1);
        try (LockDatabase database = database(server);
                Connection first = database.database().connect();
                Connection second = database.database().connect()) {
            lock(first, one.firstBucket());
            lock(second, other.firstBucket());
            CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> {
                lock(first, one.secondBucket());
                rollback(first);
            });
            await().until(() -> database.waits() > 0);
            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
                lock(second, other.secondBucket());
                rollback(second);
            });
            assertThatThrownBy(() -> CompletableFuture.allOf(waiter, closing).join())
                    .isInstanceOf(CompletionException.class)
                    .rootCause()
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(SqlFault.of(e)).isEqualTo(SqlFault.DEADLOCK));
        }
    }

    private static void lock(Connection connection, int bucket) {
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement
                    .executeQuery(
                            "SELECT 1 FROM hier_lock_buckets WHERE level = 0 AND bucket = " + bucket + " FOR UPDATE")
                    .close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void theSameSetsNeverDeadlockWhenTheStoreTakesThem(Server server) throws SQLException {
        try (LockDatabase database = database(server);
                Locks one = database.patientLocks();
                Locks other = database.patientLocks()) {
            CompletableFuture<Void> first =
                    CompletableFuture.runAsync(() -> take(crossing().get(0), one));
            CompletableFuture<Void> second =
                    CompletableFuture.runAsync(() -> take(crossing().get(1), other));
            CompletableFuture.allOf(first, second).join();
        }
    }

    private static void take(Pair pair, Locks locks) {
        LockRequest request = LockRequest.exclusive(pair.first(), pair.second()).within(Duration.ofMinutes(3));
        for (int i = 0; i < ROUNDS; i++) {
            try (Lease lease = locks.acquire(request)) {
                lease.ensureHeld();
            }
        }
    }

    private static LockDatabase database(Server server) throws SQLException {
        return LockDatabase.on(server, TestServers.shared(server.kind()), BUCKETS, Tenancy.RESOURCE);
    }
}
