package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A Redis server, its replica, and a sentinel that promotes the replica when the server is silent. They end with this JVM at the latest. */
public final class RedisSentinel implements AutoCloseable {
    private static final String NAME = "orders";
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final PrivateServer master;
    private final PrivateServer replica;
    private final PrivateServer sentinel;

    private RedisSentinel(PrivateServer master, PrivateServer replica, PrivateServer sentinel) {
        this.master = master;
        this.replica = replica;
        this.sentinel = sentinel;
    }

    /** Starts one in which a master that was silent for this long is replaced. */
    static RedisSentinel start(Duration downAfter) {
        Deque<PrivateServer> started = new ArrayDeque<>();
        try {
            PrivateServer master =
                    TestServers.startRedis("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0");
            started.push(master);
            PrivateServer replica =
                    TestServers.startRedis("--replicaof", master.host(), Integer.toString(master.port()));
            started.push(replica);
            await(
                    "the replica has the master's data",
                    () -> ask(replica, "INFO", "replication").contains("master_link_status:up"));
            PrivateServer sentinel =
                    PrivateServer.start(ServerKind.REDIS, new SentinelRecipe(NAME, master, downAfter), List.of());
            started.push(sentinel);
            await(
                    "the sentinel knows the replica",
                    () -> ask(sentinel, "SENTINEL", "REPLICAS", NAME).contains(Integer.toString(replica.port())));
            return new RedisSentinel(master, replica, sentinel);
        } catch (RuntimeException | Error e) {
            started.forEach(PrivateServer::close);
            throw e;
        }
    }

    /** The address of the sentinel, with the name of the master. */
    public String url() {
        return "redis-sentinel://" + sentinel.host() + ":" + sentinel.port() + "#" + NAME;
    }

    /** The sentinel itself. */
    public PrivateServer sentinel() {
        return sentinel;
    }

    /** The server that is the master at first. */
    public PrivateServer master() {
        return master;
    }

    /** The server that is its replica at first. */
    public PrivateServer replica() {
        return replica;
    }

    /** Promotes the replica in good order, and waits until the old master is its replica. */
    public void failover() {
        await("the sentinel accepts the replica as the next master", this::beginFailover);
        awaitPromotion();
        await("the old master is a replica", () -> hasRole(master, "slave"));
    }

    /** False also while the server ends its connections, as it does when its role changes. */
    private static boolean hasRole(PrivateServer server, String role) {
        try {
            return ask(server, "INFO", "replication").contains("role:" + role);
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Returns whether it has begun: a sentinel refuses it until it has heard enough of the replica. */
    private boolean beginFailover() {
        try {
            ask(sentinel, "SENTINEL", "FAILOVER", NAME);
            return true;
        } catch (UncheckedIOException e) {
            if (String.valueOf(e.getMessage()).contains("NOGOODSLAVE")) {
                return false;
            }
            throw e;
        }
    }

    /** Waits until the sentinel names the replica as the master. */
    public void awaitPromotion() {
        await(
                "the replica was promoted",
                () -> ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)
                                .contains(Integer.toString(replica.port()))
                        && hasRole(replica, "master"));
    }

    private static String ask(PrivateServer server, String... words) {
        try {
            return String.valueOf(RedisConnection.ask(server, words));
        } catch (IOException e) {
            throw new UncheckedIOException("port " + server.port() + ": " + e.getMessage(), e);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("not after " + LIMIT.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Ends all of them and removes their data. */
    @Override
    public void close() {
        sentinel.close();
        replica.close();
        master.close();
    }
}
