package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.core.Busy;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.testkit.Tenancy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The store's connections come from a pool that the application uses, too. */
@Tag("slow")
@Tag("once")
@Timeout(600)
@ParameterizedClass
@EnumSource
@Execution(ExecutionMode.CONCURRENT)
class PooledConnectionTest {
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));
    private static final LockRequest OTHER = LockRequest.exclusive(Tenancy.user("u2"));

    /** What the pool waits for a connection, and nobody should have to; far longer than a busy machine stands still. */
    private static final Duration POOL_WAIT = Duration.ofMinutes(5);

    /** What requests wait that must get a connection. */
    private static final Duration LONG = Duration.ofMinutes(2);

    @Parameter
    Server server;

    private LockDatabase database;

    @BeforeEach
    void create() throws SQLException {
        database = LockDatabase.on(server);
    }

    @AfterEach
    void drop() throws SQLException {
        await("no connection is left")
                .untilAsserted(() -> assertThat(database.connections()).isZero());
        database.close();
    }

    private HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(POOL_WAIT.toMillis());
        return new HikariDataSource(config);
    }

    /** How many leases fit: PostgreSQL keeps one connection to show the process's kinds to others. */
    private int poolForLeases(int leases) {
        return server == Server.POSTGRES ? leases + 1 : leases;
    }

    // ---- what the pool gets back

    @Test
    void aClosedStoreGivesAllConnectionsBackAsTheyWereAndWithoutLocks() throws SQLException {
        try (HikariDataSource pool = pool(4)) {
            List<String> before = settings(pool);
            Locks locks = LockDatabase.patient(database.store(pool));
            Lease one = locks.acquire(USER);
            Lease two = locks.acquireAsync(OTHER).join();
            two.close();
            assertThat(one.isHeld()).isTrue();
            locks.close();
            assertThat(one.isHeld()).isFalse();
            await("its work may still run")
                    .untilAsserted(() -> assertThat(database.locks()).isPositive());
            one.close();
            await().untilAsserted(() -> assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                    .isZero());
            await().untilAsserted(() -> assertThat(database.locks()).isZero());
            assertSameOnAll(pool, before);
        }
    }

    @Test
    void aClosedStoreBreaksNoConnectionOfThePool() throws SQLException {
        try (HikariDataSource pool = pool(4);
                Connection looker = database.database().connect()) {
            Locks locks = LockDatabase.patient(database.store(pool));
            locks.acquire(USER).close();
            Set<Long> before = serverIds(looker);
            assertThat(before).isNotEmpty();
            locks.close();
            assertThat(serverIds(looker)).containsAll(before);
        }
    }

    /** Which connections to the database there are besides this one. */
    private Set<Long> serverIds(Connection looker) throws SQLException {
        String sql = server == Server.POSTGRES
                ? "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                : "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()";
        Set<Long> ids = new HashSet<>();
        try (Statement statement = looker.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                ids.add(row.getLong(1));
            }
        }
        return ids;
    }

    @Test
    void unusedConnectionsGoBackAsTheyWere() throws SQLException {
        try (HikariDataSource pool = pool(4);
                LockStore store = database.store(pool);
                Locks locks = Locks.builder(store).leaveStoreOpen().build()) {
            List<String> before = settings(pool);
            locks.acquire(USER.within(LONG)).close();
            SessionPool sessions = new SessionPool(pool, dialect(), 4);
            LockSession session = sessions.connect(Duration.ofSeconds(7));
            session.restoreAndClose();
            sessions.close();
            assertThat(settings(pool)).isEqualTo(before);
        }
    }

    private Dialect dialect() {
        return switch (server) {
            case MYSQL -> new MySqlDialect(RowTable.BUCKETS);
            case MARIADB -> new MariaDbDialect(RowTable.BUCKETS);
            case POSTGRES -> new PostgresDialect("lockstep");
        };
    }

    private void assertSameOnAll(HikariDataSource pool, List<String> before) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                Connection connection = pool.getConnection();
                all.add(connection);
                assertThat(settings(connection)).isEqualTo(before);
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    private List<String> settings(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return settings(connection);
        }
    }

    private List<String> settings(Connection connection) throws SQLException {
        return ConnectionSettings.of(connection, server);
    }

    // ---- too few connections

    @Test
    void aLeaseWithoutAConnectionIsAClearErrorLongBeforeThePoolGivesUp() throws SQLException {
        try (HikariDataSource pool = pool(poolForLeases(1));
                Locks locks = Locks.on(database.store(pool))) {
            Lease lease = locks.acquire(USER.within(LONG).forTerm(POOL_WAIT));
            long start = System.nanoTime();
            assertThatThrownBy(() -> locks.acquireAsync(OTHER).join())
                    .cause()
                    .isInstanceOfSatisfying(LockException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
                        assertThat(e.retryable()).isTrue();
                        assertThat(e).hasMessageContaining("connections()").hasMessageContaining("DataSource");
                    });
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(POOL_WAIT.dividedBy(2));
            lease.ensureHeld();
            lease.close();
            locks.acquireAsync(OTHER.within(LONG)).join().close();
        }
    }

    @Test
    void aBusyAnswerDoesNotWaitForAConnectionToLookWhoHolds() throws SQLException {
        try (HikariDataSource pool = pool(poolForLeases(1));
                Locks locks = Locks.on(database.store(pool));
                Locks elsewhere = database.patientLocks()) {
            Lease lease = elsewhere.acquire(USER);
            long start = System.nanoTime();
            assertThat(CompletableFuture.supplyAsync(() -> locks.tryAcquire(USER))
                            .join())
                    .isInstanceOf(Busy.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(POOL_WAIT.dividedBy(2));
            lease.close();
            locks.acquire(USER.within(LONG)).close();
        }
    }

    @Test
    void aPoolWithoutAnyConnectionIsAClearErrorLongBeforeItGivesUp() throws SQLException {
        try (HikariDataSource pool = pool(1);
                Connection application = pool.getConnection();
                Locks locks = Locks.on(database.store(pool))) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> locks.acquire(USER)).isInstanceOfSatisfying(LockException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
                assertThat(e.retryable()).isTrue();
            });
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(POOL_WAIT.dividedBy(2));
            assertThat(application.isValid(60)).isTrue();
        }
    }
}
