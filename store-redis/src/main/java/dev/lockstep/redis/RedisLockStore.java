package dev.lockstep.redis;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.Lazy;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.connection.RedisAddresses;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Locks on a Redis server or a Redis Cluster: five modes, first come first served across processes, one round trip to lock any number of
 * things and one to release them; in a cluster, one for each run of things that are kept together.
 *
 * <p>Leases are counted by the server's clock. A server that was restarted or emptied grants nothing until every lease it may have forgotten
 * has ended. Configure before the first use: each of the methods that do returns another store.
 */
public final class RedisLockStore implements LockStore {
    private static final Duration DEFAULT_LONGEST = Duration.ofSeconds(30);
    private static final Duration DEFAULT_ANSWER = Duration.ofSeconds(3);

    private static final int DEFAULT_PARTITIONS = 64;
    private static final int MOST_PARTITIONS = 1024;

    /** {@code partitions} is 0 for a single server. */
    private record Options(
            List<RedisURI> uris,
            int partitions,
            Namespace namespace,
            Duration longestTerm,
            Duration answerWithin,
            SslOptions tls) {
        static Options of(List<RedisURI> uris, int partitions) {
            return new Options(
                    uris, partitions, new Namespace("default"), DEFAULT_LONGEST, DEFAULT_ANSWER, SslOptions.create());
        }

        private RedisStoreEngine desk() {
            Partitions spread = isCluster()
                    ? Partitions.spread(namespace, partitions, longestTerm)
                    : Partitions.one(namespace, longestTerm);
            Driver driver = new Driver(answerWithin, tls);
            Servers servers = isCluster()
                    ? new ClusterServers(driver, uris, spread, answerWithin)
                    : new OneServer(driver, uris.get(0), answerWithin);
            return new RedisStoreEngine(servers, spread).open();
        }

        boolean isCluster() {
            return partitions > 0;
        }

        Options withPartitions(int count) {
            return new Options(uris, count, namespace, longestTerm, answerWithin, tls);
        }

        Options withNamespace(String name) {
            return new Options(uris, partitions, new Namespace(name), longestTerm, answerWithin, tls);
        }

        Options withLongestTerm(Duration term) {
            return new Options(uris, partitions, namespace, positive("longestTerm", term), answerWithin, tls);
        }

        Options withAnswerWithin(Duration time) {
            return new Options(uris, partitions, namespace, longestTerm, positive("answerWithin", time), tls);
        }

        Options withTls(SslOptions other) {
            return new Options(uris, partitions, namespace, longestTerm, answerWithin, other);
        }
    }

    private final Options options;
    private final Lazy<RedisStoreEngine> desk;

    private RedisLockStore(Options options) {
        this.options = options;
        desk = new Lazy<>("The Redis store", options::desk);
    }

    /**
     * Locks on the server at this address, such as {@code redis://user:password@host:6379/0} or {@code rediss://host}; or on the master that
     * sentinels name, such as {@code redis-sentinel://host1:26379,host2:26379#orders}. A failover is like a restart: the new master grants
     * nothing for the longest lease term, and leases of the old one are lost at their next renewal.
     *
     * @throws InvalidRequestException if that is not an address
     */
    public static RedisLockStore at(String url) {
        return at(RedisAddresses.parse(url));
    }

    /** Locks on the server at this address. */
    public static RedisLockStore at(RedisURI uri) {
        Objects.requireNonNull(uri, "uri");
        return new RedisLockStore(Options.of(List.of(uri), 0));
    }

    /**
     * Locks on a Redis Cluster, of which these are some nodes, such as {@code redis://user:password@host:6379}: any of them names all
     * others. Things that share no root are spread over the masters.
     */
    public static RedisLockStore cluster(String... urls) {
        return cluster(Arrays.stream(urls).map(RedisAddresses::parse).toList());
    }

    /** Locks on a Redis Cluster, of which these are some nodes. */
    public static RedisLockStore cluster(List<RedisURI> uris) {
        return new RedisLockStore(Options.of(RedisAddresses.ofCluster(uris), DEFAULT_PARTITIONS));
    }

    /**
     * The same in this many partitions, 64 by default, over which a cluster spreads the locks; it must be the same in all processes. There
     * should be several for each master, and each costs a call when a process declares its first kinds or requests a snapshot.
     */
    public RedisLockStore partitions(int count) {
        if (!options.isCluster()) {
            throw new InvalidRequestException(
                    "partitions(" + count + ") is for a cluster. Write RedisLockStore.cluster(...), or leave it out.");
        }
        if (count < 1 || count > MOST_PARTITIONS) {
            throw new InvalidRequestException(
                    "partitions(" + count + ") is invalid: give a number from 1 to " + MOST_PARTITIONS + ".");
        }
        return new RedisLockStore(options.withPartitions(count));
    }

    /** The same in another namespace: locks of different namespaces never meet. {@code default} by default. */
    public RedisLockStore namespace(String name) {
        return new RedisLockStore(options.withNamespace(name));
    }

    /**
     * The same with this longest lease term, 30 seconds by default; it must be the same in all processes. A server that lost its memory
     * grants nothing for this long.
     */
    public RedisLockStore longestTerm(Duration term) {
        return new RedisLockStore(options.withLongestTerm(term));
    }

    /** The same, waiting at most this long for an answer of the server before it counts as unreachable; 3 seconds by default. */
    public RedisLockStore answerWithin(Duration time) {
        return new RedisLockStore(options.withAnswerWithin(time));
    }

    /**
     * The same with these certificates, for servers with a private certificate authority or that require a certificate of the client. The
     * addresses must begin with {@code rediss:}, {@code redis+ssl:} or {@code rediss-sentinel:}.
     */
    public RedisLockStore tls(SslOptions certificates) {
        return new RedisLockStore(options.withTls(requireTls(options.uris, certificates)));
    }

    /** Certificates for connections without TLS would be ignored. */
    static SslOptions requireTls(List<RedisURI> uris, SslOptions certificates) {
        if (!uris.stream().allMatch(RedisURI::isSsl)) {
            throw new InvalidRequestException(
                    "tls(...) needs an address that uses TLS. Write rediss://host:6380, or leave it out.");
        }
        return Objects.requireNonNull(certificates, "certificates");
    }

    private static Duration positive(String name, Duration duration) {
        if (duration.isNegative() || duration.toMillis() < 1) {
            throw new InvalidRequestException(
                    name + "(" + duration + ") is too short. Give a duration of a millisecond or more.");
        }
        return duration;
    }

    /**
     * Creates the namespace now if the server doesn't know it, without the wait that a server which may have forgotten it needs. For those
     * who know that the namespace is unused: a test, or its first set-up. An application that called this at every start
     * would take the protection away.
     */
    public RedisLockStore createNamespace() {
        desk.get().createNamespace();
        return this;
    }

    /**
     * Removes what the server knows of the namespace, if nothing is held or waited for in it, and returns whether it did. For tests and
     * trials that have ended: stores that are still open there would bring it back.
     */
    public boolean removeNamespace() {
        return desk.get().removeNamespace();
    }

    /**
     * Leaves the server as a restart does that lost the leases of this namespace: it knows none of them and, because it can't know what it has
     * forgotten, grants nothing there until the longest lease term has passed. Every lease of the namespace is lost, and its holder is notified at
     * the next renewal. For tests and trials of what happens then. Other namespaces are not touched.
     *
     * @throws dev.lockstep.core.LockException if the server can't be reached
     */
    public void simulateRestart() {
        desk.get().simulateRestart();
    }

    // ---- the store

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of();
    }

    @Override
    public void declare(List<KindDefinition> kinds) {
        desk.get().declare(kinds);
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return desk.get().acquire(request);
    }

    @Override
    public CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        return desk.get().acquireAsync(request, blocking);
    }

    @Override
    public void cancel(StoreRequest request) {
        desk.get().cancel(request);
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return desk.get().renew(renewals);
    }

    @Override
    public Object renewedWith(StoreGrant grant) {
        return options.isCluster() ? desk.get().serversOf(grant) : this;
    }

    @Override
    public boolean release(StoreGrant grant) {
        return desk.get().release(grant);
    }

    @Override
    public LockSnapshot snapshot() {
        return desk.get().snapshot();
    }

    @Override
    public void ping() {
        desk.get().ping();
    }

    /** The address; Redis has no name of its own that lasts, so two addresses of one server are two. */
    @Override
    public Optional<String> identity() {
        RedisURI first = options.uris.get(0);
        String rest = "/" + first.getDatabase() + "/" + options.namespace.name();
        if (RedisAddresses.isFoundBySentinels(first)) {
            return Optional.of("redis " + first.getSentinelMasterId() + "@" + RedisAddresses.sentinels(first) + rest);
        }
        return first.getHost() == null
                ? Optional.empty()
                : Optional.of("redis " + first.getHost() + ":" + first.getPort() + rest);
    }

    /** Processes may find one cluster through different nodes, so that only the namespace can be compared there. */
    @Override
    public Optional<String> address() {
        return options.isCluster() ? Optional.of("redis cluster/" + options.namespace.name()) : identity();
    }

    @Override
    public Optional<SharedNumbers> numbers() {
        return Optional.of(desk.get().numbers());
    }

    @Override
    public void close() {
        desk.close(RedisStoreEngine::close);
    }
}
