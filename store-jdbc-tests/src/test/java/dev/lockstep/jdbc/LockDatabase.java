package dev.lockstep.jdbc;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A database for the locks of one test, and what its server says about it. */
final class LockDatabase implements AutoCloseable {
    private static final int BUCKETS = 1_009;
    private static final int CONNECTIONS = 16;

    /** Databases that tests left without locks and connections: creating and filling one takes longer than most tests. */
    private static final Map<Server, Queue<LockDatabase>> SPARE = new ConcurrentHashMap<>();

    private final Server server;
    private final TestDatabase database;
    private final boolean reusable;

    private LockDatabase(Server server, TestDatabase database, boolean reusable) {
        this.server = server;
        this.database = database;
        this.reusable = reusable;
    }

    /** One on the shared server, with rows for {@link Tenancy}. The test must not change its tables. */
    static LockDatabase on(Server server) throws SQLException {
        LockDatabase spare = spare(server).poll();
        return spare != null
                ? spare
                : create(server, TestServers.shared(server.kind()), true, BUCKETS, Tenancy.RESOURCE);
    }

    private static Queue<LockDatabase> spare(Server server) {
        return SPARE.computeIfAbsent(server, unused -> new ConcurrentLinkedQueue<>());
    }

    static LockDatabase on(Server server, TestServer where) throws SQLException {
        return on(server, where, BUCKETS, Tenancy.RESOURCE);
    }

    static LockDatabase on(Server server, TestServer where, int buckets, LockKind... kinds) throws SQLException {
        return create(server, where, false, buckets, kinds);
    }

    /** One on the shared server, with a row for each of these keys. */
    static LockDatabase ofIds(Server server, List<LockKey> keys) throws SQLException {
        LockDatabase created =
                new LockDatabase(server, TestServers.shared(server.kind()).freshDatabase(), false);
        Provisioning.of(created.dataSource()).ids(keys).run();
        return created;
    }

    private static LockDatabase create(
            Server server, TestServer where, boolean reusable, int buckets, LockKind... kinds) throws SQLException {
        LockDatabase created = new LockDatabase(server, where.freshDatabase(), reusable);
        server.provision(created.dataSource(), buckets, kinds);
        return created;
    }

    Server server() {
        return server;
    }

    TestDatabase database() {
        return database;
    }

    /** Without a pool: each connection is a new one. */
    DataSource dataSource() {
        return Databases.of(database);
    }

    DataSource dataSource(TcpProxy proxy) {
        return new DriverManagerDataSource(database.jdbcUrl(proxy), database.user(), database.password());
    }

    LockStore store() {
        return server.store(dataSource(), CONNECTIONS);
    }

    LockStore store(DataSource dataSource) {
        return server.store(dataSource, CONNECTIONS);
    }

    /** Locks whose requests wait and whose leases last longer than any machine stands still. */
    Locks patientLocks() {
        return patient(store());
    }

    static Locks patient(LockStore store) {
        return Locks.builder(store)
                .defaultWait(Duration.ofMinutes(3))
                .defaultTerm(Duration.ofMinutes(10))
                .build();
    }

    // ---- what the server says

    /** How many locks are held or waited for; on MariaDB, how many transactions do so. */
    int locks() throws SQLException {
        return count(server.locks());
    }

    /** How many wait for a lock on the server. */
    int waits() throws SQLException {
        return count(server.waits());
    }

    private int count(String sql) throws SQLException {
        return numbers(sql).get(0).intValue();
    }

    /** The ids of all connections to this database. */
    List<Long> sessions() throws SQLException {
        return numbers(server.sessions());
    }

    int connections() throws SQLException {
        return sessions().size();
    }

    /** Ends all connections to this database, as an administrator does. */
    void killSessions() throws SQLException {
        killSessions(List.of());
    }

    /** Ends all connections to this database but for some. */
    void killSessions(List<Long> spared) throws SQLException {
        try (Connection admin = database.server().connect();
                Statement statement = admin.createStatement()) {
            for (Long session : sessions()) {
                if (!spared.contains(session)) {
                    statement.execute(server.kill(session));
                }
            }
        }
    }

    private List<Long> numbers(String sql) throws SQLException {
        try (Connection watcher = database.server().connect();
                PreparedStatement query = watcher.prepareStatement(sql)) {
            query.setString(1, database.name());
            try (ResultSet row = query.executeQuery()) {
                List<Long> numbers = new ArrayList<>();
                while (row.next()) {
                    numbers.add(row.getLong(1));
                }
                return numbers;
            }
        }
    }

    @Override
    public void close() throws SQLException {
        if (reusable && connections() == 0 && locks() == 0) {
            spare(server).add(this);
        } else {
            database.close();
        }
    }
}
