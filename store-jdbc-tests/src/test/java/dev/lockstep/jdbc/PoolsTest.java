package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The application and the locks share a pool, which may not reset the connections that it gets back. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class PoolsTest {
    private static final int SIZE = 3;
    private static final Duration LONG = Duration.ofMinutes(2);

    static Stream<Arguments> poolsAndServers() {
        return Stream.of(Pool.values())
                .flatMap(pool -> Stream.of(Server.values()).map(server -> Arguments.of(pool, server)));
    }

    @ParameterizedTest
    @MethodSource("poolsAndServers")
    void theApplicationGetsItsConnectionsBackAsTheyWere(Pool pool, Server server) throws Exception {
        try (LockDatabase database = LockDatabase.on(server, TestServers.shared(server.kind()), 101, Tenancy.USER);
                Pool.Open open = pool.open(database.database(), SIZE)) {
            List<String> before = settings(open.dataSource(), server).get(0);
            useAll(database, open.dataSource());
            assertThat(settings(open.dataSource(), server)).hasSize(SIZE).allMatch(before::equals);
            assertThat(rowsAfterAnInsert(database, open.dataSource())).isEqualTo(1);
        }
    }

    /** Uses everything that borrows connections. */
    private static void useAll(LockDatabase database, DataSource dataSource) {
        Server server = database.server();
        LockStore store = server.store(dataSource, SIZE - 1);
        Locks locks = Locks.on(store);
        Lease outer = locks.acquire(
                LockRequest.exclusive(Tenancy.user("u1")).within(LONG).forTerm(LONG));
        locks.acquire(LockRequest.exclusive(Tenancy.user("u1")).within(LONG)).close();
        outer.renew(LONG.multipliedBy(2));
        store.ping();
        outer.close();
        locks.close();
        EpochTable.on(dataSource).provision("pair");
        if (server == Server.POSTGRES) {
            Doctor.postgresql(dataSource).examine();
        } else {
            server.provision(dataSource, 101, Tenancy.USER);
            Doctor.mysql(dataSource).examine();
        }
    }

    /** Those of as many connections as the pool has. */
    private static List<List<String>> settings(DataSource dataSource, Server server) throws SQLException {
        List<List<String>> settings = new ArrayList<>();
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < SIZE; i++) {
                Connection connection = dataSource.getConnection();
                all.add(connection);
                settings.add(ConnectionSettings.of(connection, server));
            }
            return settings;
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    /** The application inserts a row without a commit of its own, as it may in autocommit. */
    private static int rowsAfterAnInsert(LockDatabase database, DataSource dataSource) throws SQLException {
        try (Connection setup = database.database().connect();
                Statement statement = setup.createStatement()) {
            statement.execute("CREATE TABLE orders (id INT)");
            try (Connection application = dataSource.getConnection();
                    Statement insert = application.createStatement()) {
                insert.executeUpdate("INSERT INTO orders VALUES (1)");
            }
            try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM orders")) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}
