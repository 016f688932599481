package dev.lockstep.benchmarks.measure;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.Provisioning;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A database server that is measured, what differs on it, and which ratios are asked for there. */
public enum LockServer {
    MYSQL(ServerKind.MYSQL),
    MARIADB(ServerKind.MARIADB),
    POSTGRESQL(ServerKind.POSTGRES);

    /** Lock rows for each level. */
    public static final int BUCKETS = 100_000;

    /** How many times as fast as each peer, the first with prepared statements, a lock of three levels should be. */
    public record Asked(double selectPerLevel, double springRegistry, double shedLock, double selectPerLevelFar) {}

    private final ServerKind kind;

    LockServer(ServerKind kind) {
        this.kind = kind;
    }

    /** The one of this name, as it is written on the command line. */
    public static LockServer named(String name) {
        return Stream.of(values())
                .filter(server -> server.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown server '" + name + "'. Known: "
                        + Stream.of(values()).map(LockServer::toString).collect(Collectors.joining(", "))));
    }

    public ServerKind kind() {
        return kind;
    }

    public Asked asked() {
        return switch (this) {
            case MYSQL -> new Asked(1.5, 10, 6, 1.9);
            case MARIADB -> new Asked(1.2, 5, 3, 1.9);
            case POSTGRESQL -> new Asked(2.2, 10, 5, 2);
        };
    }

    public LockStore store(DataSource dataSource) {
        return switch (this) {
            case MYSQL -> RowLockStore.mysql(dataSource);
            case MARIADB -> RowLockStore.mariadb(dataSource);
            case POSTGRESQL -> AdvisoryLockStore.postgresql(dataSource);
        };
    }

    /** How a select ends that locks its row shared. */
    public String forShare() {
        return this == MARIADB ? "LOCK IN SHARE MODE" : "FOR SHARE";
    }

    /** What the peers set on the driver; the driver of PostgreSQL does the same by itself. */
    public Map<String, String> peerDriver() {
        return switch (this) {
            case MYSQL -> Map.of("cachePrepStmts", "true");
            case MARIADB, POSTGRESQL -> Map.of();
        };
    }

    /** The same with statements that are prepared on the server. */
    public Map<String, String> preparingDriver() {
        return switch (this) {
            case MYSQL -> Map.of("cachePrepStmts", "true", "useServerPrepStmts", "true");
            case MARIADB -> Map.of("useServerPrepStmts", "true");
            case POSTGRESQL -> peerDriver();
        };
    }

    public String springSchema() {
        return this == POSTGRESQL ? "schema-postgresql.sql" : "schema-mysql.sql";
    }

    /** As ShedLock's documentation has it. */
    public String shedLockTable() {
        String timestamp = this == POSTGRESQL ? "TIMESTAMP" : "TIMESTAMP(3)";
        return """
                CREATE TABLE shedlock (
                  name VARCHAR(64) NOT NULL,
                  lock_until %s NOT NULL,
                  locked_at %1$s NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
                  locked_by VARCHAR(255) NOT NULL,
                  PRIMARY KEY (name)
                )""".formatted(timestamp);
    }

    /** One row that says how durable the server is. */
    public String durability() {
        return this == POSTGRESQL
                ? "SELECT CONCAT('fsync = ', current_setting('fsync'), ', synchronous_commit = ', current_setting('synchronous_commit'))"
                : "SELECT CONCAT('innodb_flush_log_at_trx_commit = ', @@innodb_flush_log_at_trx_commit,"
                        + " ', log_bin = ', @@log_bin, ', sync_binlog = ', @@sync_binlog)";
    }

    /** Makes the lock rows, on PostgreSQL for the peer alone. */
    public void provision(DataSource dataSource) throws SQLException {
        if (this != POSTGRESQL) {
            Provisioning.of(dataSource)
                    .kinds(BenchmarkKinds.RESOURCE)
                    .buckets(BUCKETS)
                    .run();
            return;
        }
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : rowsForPeer()) {
                statement.execute(sql);
            }
        }
    }

    private static List<String> rowsForPeer() {
        return List.of("""
                CREATE TABLE hier_lock_buckets (
                  level SMALLINT NOT NULL,
                  bucket INT NOT NULL,
                  PRIMARY KEY (level, bucket)
                )""", """
                INSERT INTO hier_lock_buckets (level, bucket)
                SELECT level, bucket
                FROM generate_series(0, 2) AS level CROSS JOIN generate_series(0, %d) AS bucket""".formatted(BUCKETS - 1), "VACUUM ANALYZE hier_lock_buckets");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
