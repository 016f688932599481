package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.JarName;
import dev.lockstep.benchmarks.measure.Population;
import dev.lockstep.core.LockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/**
 * Redisson's locks on one Redis, without a lease time, so that its watchdog renews them as Lockstep renews its leases. Lock objects
 * are made for each use from names that are there beforehand, as its documentation does it.
 */
final class RedissonOnRedis implements AutoCloseable {
    private static final String GROUP = "group";

    private final Config config = new Config();
    private final SingleServerConfig server;
    private final RedissonClient client;

    private RedissonOnRedis(String url) {
        server = config.useSingleServer().setAddress(url);
        client = Redisson.create(config);
    }

    static RedissonOnRedis at(String url) {
        return new RedissonOnRedis(url);
    }

    List<String> configuration() {
        return List.of(
                JarName.of(Redisson.class) + " with its defaults",
                "single server, pool of %d connections, %d at least, %d netty threads, %d threads"
                        .formatted(
                                server.getConnectionPoolSize(),
                                server.getConnectionMinimumIdleSize(),
                                config.getNettyThreads(),
                                config.getThreads()),
                "lock() and unlock(), renewed by its watchdog (%d s)"
                        .formatted(config.getLockWatchdogTimeout() / 1_000));
    }

    /** A user's and an account's read lock, a resource's write lock; freed in the other direction. */
    Taker levels() {
        List<List<String>> paths =
                Population.resources().stream().map(RedissonOnRedis::path).toList();
        return () -> levels(Population.anyOf(paths));
    }

    private static List<String> path(LockKey resource) {
        List<String> names = new ArrayList<>();
        for (Optional<LockKey> key = Optional.of(resource);
                key.isPresent();
                key = key.get().parent()) {
            names.add(0, key.get().toString());
        }
        return names;
    }

    private Taker.Held levels(List<String> names) {
        RLock user = client.getReadWriteLock(names.get(0)).readLock();
        RLock account = client.getReadWriteLock(names.get(1)).readLock();
        RLock resource = client.getReadWriteLock(names.get(2)).writeLock();
        user.lock();
        account.lock();
        resource.lock();
        return () -> {
            resource.unlock();
            account.unlock();
            user.unlock();
        };
    }

    /** A MultiLock of single locks. */
    Taker set(int size) {
        List<String> names = names();
        return () -> take(client.getMultiLock(
                Population.anyOf(names, size).stream().map(client::getLock).toArray(RLock[]::new)));
    }

    /** A MultiLock of values in one group: one script takes them all, and goes by the clock of the one who asks. */
    Taker groupedSet(int size) {
        List<String> names = names();
        return () -> take(client.getMultiLock(GROUP, List.copyOf(Population.anyOf(names, size))));
    }

    Taker key() {
        List<String> names = names();
        return () -> take(client.getLock(Population.anyOf(names)));
    }

    private static List<String> names() {
        return Population.names(Population.RESOURCES);
    }

    /** One key that all want. */
    Taker hotKey() {
        return () -> take(client.getLock("hot"));
    }

    /** One key that all want, and get in the order of asking. */
    Taker fairHotKey() {
        return () -> take(client.getFairLock("fair"));
    }

    private static Taker.Held take(RLock lock) {
        lock.lock();
        return lock::unlock;
    }

    /** What the server says of itself. */
    RedisNode node() {
        return client.getRedisNodes(RedisNodes.SINGLE).getInstance();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
