package dev.lockstep.testservers;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Real servers for tests.
 *
 * <p>A shared one is started at its first use in this JVM and ends with it; where an environment variable names a server
 * ({@code MYSQL_DSN}, {@code MARIADB_DSN}, {@code POSTGRES_DSN}, {@code REDIS_URL}), it is that one. A private one belongs
 * to the test that starts it, which may kill or pause it. Where a server can't be started, that is an error; only on other
 * platforms than Linux x86-64 the test is aborted, unless CI is set to true.
 */
public final class TestServers {
    private static final Map<ServerKind, TestServer> SHARED = new EnumMap<>(ServerKind.class);

    private static final Duration PATIENT = Duration.ofMinutes(1);
    private static final int ETCD_MEMBERS = 3;
    private static final String ETCD_ENDPOINTS = "ETCD_ENDPOINTS";
    private static @Nullable RedisCluster cluster;
    private static @Nullable EtcdCluster etcd;

    private TestServers() {}

    /** The shared MySQL server. */
    public static TestServer mysql() {
        return shared(ServerKind.MYSQL);
    }

    /** The shared MariaDB server. */
    public static TestServer mariadb() {
        return shared(ServerKind.MARIADB);
    }

    /** The shared PostgreSQL server. */
    public static TestServer postgres() {
        return shared(ServerKind.POSTGRES);
    }

    /** The shared Redis server. */
    public static TestServer redis() {
        return shared(ServerKind.REDIS);
    }

    /** The shared server of a kind. */
    public static synchronized TestServer shared(ServerKind kind) {
        return SHARED.computeIfAbsent(kind, TestServers::find);
    }

    private static TestServer find(ServerKind kind) {
        String named = System.getenv(kind.variable());
        return named == null || named.isBlank() ? start(kind) : new ExternalServer(Dsn.parse(kind, named));
    }

    /** Starts a MySQL server of the caller's own. */
    public static PrivateServer startMysql(String... options) {
        return start(ServerKind.MYSQL, options);
    }

    /** Starts a MariaDB server of the caller's own. */
    public static PrivateServer startMariadb(String... options) {
        return start(ServerKind.MARIADB, options);
    }

    /** Starts a PostgreSQL server of the caller's own. */
    public static PrivateServer startPostgres(String... options) {
        return start(ServerKind.POSTGRES, options);
    }

    /** Starts a Redis server of the caller's own. */
    public static PrivateServer startRedis(String... options) {
        return start(ServerKind.REDIS, options);
    }

    /** The shared Redis cluster; for tests that leave its nodes alone. */
    public static synchronized RedisCluster redisCluster() {
        if (cluster == null) {
            cluster = RedisCluster.start(PATIENT);
        }
        return cluster;
    }

    /** Starts a Redis cluster of the caller's own, in which a replica takes over from a master that was silent for this long. */
    public static RedisCluster startRedisCluster(Duration nodeTimeout) {
        return RedisCluster.start(nodeTimeout);
    }

    /** Starts a Redis server of the caller's own with a replica, and a sentinel that promotes it when the server was silent for this long. */
    public static RedisSentinel startRedisSentinel(Duration downAfter) {
        return RedisSentinel.start(downAfter);
    }

    /**
     * The address of the shared etcd cluster of three members, as {@code etcd://127.0.0.1:2379,…}; of the one that {@code ETCD_ENDPOINTS} names
     * as {@code host:port,…} where that is set. For tests that leave its members alone.
     */
    public static synchronized String etcdUrl() {
        String named = System.getenv(ETCD_ENDPOINTS);
        if (named != null && !named.isBlank()) {
            return "etcd://" + named.replaceAll("https?://", "").trim();
        }
        if (etcd == null) {
            etcd = startEtcd(ETCD_MEMBERS);
        }
        return etcd.url();
    }

    /** Starts an etcd cluster of the caller's own, with more options on the command line of each member. */
    public static EtcdCluster startEtcd(int members, String... options) {
        return EtcdCluster.start(members, List.of(options));
    }

    /** Starts a server of the caller's own, with more options on its command line. */
    public static PrivateServer start(ServerKind kind, String... options) {
        return PrivateServer.start(kind, List.of(options));
    }
}
