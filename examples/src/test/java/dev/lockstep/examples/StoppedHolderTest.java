package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.jdbc.FencingGuard;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock on Redis, a row in a database, and a holder that sleeps through the end of its lease. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class StoppedHolderTest {
    private static final LockKey REPORT = AccountKinds.USER.key("u1");

    /** Of the first holder: longer than its process stands still by itself. */
    private static final Duration TERM = Duration.ofSeconds(20);

    private static final Duration LONGEST_TERM = Duration.ofSeconds(30);

    private static Locks locks(String redis, String namespace, Duration term) {
        return Locks.builder(RedisLockStore.at(redis).namespace(namespace).answerWithin(Duration.ofSeconds(60)))
                .defaultTerm(term)
                .defaultWait(Duration.ofMinutes(2))
                .build();
    }

    /** The other process: holds a lease, looks at it, and writes whatever it saw. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            DataSource dataSource = new DriverSource(args[2]);
            try (Locks locks = locks(args[0], args[1], TERM)) {
                Lease lease = locks.acquire(exclusive(REPORT).as("first"));
                ChildJvm.obey(words -> obey(words, lease, dataSource));
            }
        }

        private static String obey(String[] words, Lease lease, DataSource dataSource) throws SQLException {
            try {
                return switch (words[0]) {
                    case "token" -> lease.token().toString();
                    case "held" -> Boolean.toString(lease.isHeld());
                    case "write" -> write(dataSource, lease, words[1]);
                    default -> write(dataSource, lease.token(), words[1]); // doesn't look at the lease
                };
            } catch (LockException e) {
                return e.toString();
            }
        }
    }

    private static String write(DataSource dataSource, Lease lease, String text) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            FencingGuard.on(connection).check("report", "u1", lease);
            return save(connection, text);
        }
    }

    private static String write(DataSource dataSource, FencingToken token, String text) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            FencingGuard.on(connection).check("report", "u1", token);
            return save(connection, text);
        }
    }

    private static String save(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE reports SET text = '" + text + "'");
        }
        connection.commit();
        return "wrote " + text;
    }

    private static String text(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT text FROM reports")) {
            row.next();
            return row.getString(1);
        }
    }

    private static void prepare(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            FencingGuard.createTable(connection);
            statement.execute("CREATE TABLE reports (text VARCHAR(20))");
            statement.execute("INSERT INTO reports VALUES ('')");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL"})
    @DisplayName("a holder on Redis that was stopped past its lease can't write any more")
    void stopped(ServerKind kind) throws Exception {
        String redis = TestServers.redis().url();
        String namespace = RedisPlaces.newNamespace();
        try (TestDatabase database = TestServers.shared(kind).freshDatabase()) {
            String url = DatabaseExamplesTest.url(database);
            DataSource dataSource = new DriverSource(url);
            prepare(dataSource);
            try (Locks locks = locks(redis, namespace, LONGEST_TERM);
                    ChildJvm first = ChildJvm.start(Holder.class, redis, namespace, url)) {
                String token = first.ask("token");
                assertThat(first.ask("write early")).isEqualTo("wrote early");

                first.stop();
                try (Lease second =
                        locks.acquire(exclusive(REPORT).as("second"))) { // when the first one's term is over
                    assertThat(write(dataSource, second, "second")).isEqualTo("wrote second");
                    first.goOn();

                    assertThat(first.ask("late late"))
                            .contains("StaleTokenException")
                            .contains(token)
                            .contains(second.token().toString());
                    assertThat(first.ask("held")).isEqualTo("false");
                    assertThat(first.ask("write late")).contains("LeaseLostException");
                    assertThat(second.isHeld()).isTrue();
                }
                assertThat(text(dataSource)).isEqualTo("second");
            }
        }
    }
}
