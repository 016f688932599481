package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockMode;
import dev.lockstep.core.Locks;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The drivers of MySQL and MariaDB prepare statements on the server only if the URL says so; the store does it in any case. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class PreparedStatementsTest {
    private static final int HOLDS = 10;

    static Stream<Arguments> poolsAndServers() {
        return Stream.of(Pool.values())
                .flatMap(pool -> Stream.of(Server.MYSQL, Server.MARIADB).map(server -> Arguments.of(pool, server)));
    }

    @ParameterizedTest
    @MethodSource("poolsAndServers")
    void statementsAreExecutedWithoutBeingParsedThroughEachPool(Pool pool, Server server) throws SQLException {
        try (LockDatabase database = LockDatabase.on(server);
                Pool.Open open = pool.open(database.database(), 2)) {
            InterceptedDataSource dataSource = new InterceptedDataSource(open.dataSource(), (connection, sql) -> {});
            try (Locks locks = LockDatabase.patient(database.store(dataSource))) {
                hold(locks);
                assertThat(counter(dataSource, "Com_stmt_execute")).isPositive();
                assertThat(counter(dataSource, "Com_stmt_prepare")).isOne();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void aServerWithoutRoomForPreparedStatementsGrantsLocksToo(Server server) throws SQLException {
        try (PrivateServer machine = TestServers.start(server.kind(), "--max-prepared-stmt-count=0");
                LockDatabase database = LockDatabase.on(server, machine)) {
            InterceptedDataSource dataSource =
                    new InterceptedDataSource(database.dataSource(), (connection, sql) -> {});
            try (Locks locks = LockDatabase.patient(database.store(dataSource))) {
                hold(locks);
                assertThat(counter(dataSource, "Com_stmt_execute")).isZero();
            }
        }
    }

    /** The driver must not keep statements that the store has closed: it counts those on the server. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void statementsThatAreUsedNoMoreAreClosedOnTheServer(Server server) throws SQLException {
        InnoDbDialect dialect =
                server == Server.MYSQL ? new MySqlDialect(RowTable.BUCKETS) : new MariaDbDialect(RowTable.BUCKETS);
        try (LockDatabase database = LockDatabase.on(server);
                SessionPool pool = new SessionPool(database.dataSource(), dialect, 1)) {
            int room = dialect.room.availablePermits();
            LockSession session = pool.connect(Duration.ofMinutes(10));
            for (int i = 0; i < 20 * HOLDS; i++) {
                dialect.tryAll(session, locks(i / HOLDS));
            }
            long prepared = counter(session.connection, "Com_stmt_prepare");
            assertThat(prepared).isEqualTo(20);
            assertThat(prepared - counter(session.connection, "Com_stmt_close")).isEqualTo(16);
            assertThat(dialect.room.availablePermits()).isEqualTo(room - 16);
            session.restoreAndClose();
            assertThat(dialect.room.availablePermits()).isEqualTo(room);
        }
    }

    private static List<ServerLock> locks(int more) {
        return IntStream.rangeClosed(0, more)
                .mapToObj(i -> ServerLock.numbered(1, i, new PlannedLock(Tenancy.user("u1"), LockMode.EXCLUSIVE)))
                .toList();
    }

    private static void hold(Locks locks) {
        for (int i = 0; i < HOLDS; i++) {
            locks.acquire(exclusive(Tenancy.user("u" + i))).close();
        }
    }

    /** A counter of the session that locks: the connection that was opened last. */
    private static long counter(InterceptedDataSource dataSource, String name) throws SQLException {
        List<Connection> opened = dataSource.opened();
        return counter(opened.get(opened.size() - 1), name);
    }

    private static long counter(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW SESSION STATUS LIKE '" + name + "'")) {
            row.next();
            return row.getLong(2);
        }
    }
}
