package dev.lockstep.benchmarks.databases;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.LockServer;
import dev.lockstep.benchmarks.measure.PeerPool;
import dev.lockstep.benchmarks.measure.Population;
import dev.lockstep.core.LockKey;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The algorithm that Lockstep's row locks come from: a transaction for each lock, in it one locking select for each level,
 * from the user down to the resource, and a rollback to free them. The buckets are computed beforehand, which it didn't do.
 */
final class SelectPerLevel implements Contender {
    private final String name;
    private final HikariDataSource pool;
    private final String shared;
    private final String exclusive;
    private final List<int[]> paths =
            Population.resources().stream().map(SelectPerLevel::buckets).toList();

    SelectPerLevel(LockServer server, HikariDataSource pool) {
        this("one select per level", server, pool);
    }

    SelectPerLevel(String name, LockServer server, HikariDataSource pool) {
        this.name = name;
        this.pool = pool;
        String select = "SELECT bucket FROM hier_lock_buckets WHERE level = ? AND bucket = ? ";
        this.shared = select + server.forShare();
        this.exclusive = select + "FOR UPDATE";
    }

    private static int[] buckets(LockKey resource) {
        LockKey account = resource.parent().orElseThrow();
        LockKey user = account.parent().orElseThrow();
        return new int[] {bucket(user), bucket(account), bucket(resource)};
    }

    /** FNV-1a, as the algorithm says. */
    private static int bucket(LockKey key) {
        int hash = 0x811c9dc5;
        for (byte each : key.toString().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * 0x01000193;
        }
        return Integer.remainderUnsigned(hash, LockServer.BUCKETS);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> configuration() {
        return List.of(PeerPool.describe(pool), "2 x " + shared + "; " + exclusive + "; rollback");
    }

    @Override
    public boolean lockAndRelease() throws SQLException {
        int[] path = Population.anyOf(paths);
        try (Connection connection = pool.getConnection()) {
            select(connection, shared, 0, path[0]);
            select(connection, shared, 1, path[1]);
            select(connection, exclusive, 2, path[2]);
            connection.rollback();
        }
        return true;
    }

    private static void select(Connection connection, String sql, int level, int bucket) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setInt(1, level);
            select.setInt(2, bucket);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("row missing: level " + level + ", bucket " + bucket);
                }
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
