package dev.lockstep.benchmarks.redis;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.benchmarks.measure.BenchmarkKinds;
import dev.lockstep.benchmarks.measure.Population;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.redis.RedisLockStore;
import java.time.Duration;
import java.util.List;

/** Lockstep with everything on, on one Redis. */
final class LockstepOnRedis implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Locks locks;

    private LockstepOnRedis(RedisLockStore store) {
        locks = Locks.on(store);
    }

    /** Makes a namespace on a fresh server, where no one can have held anything. */
    static LockstepOnRedis createdAt(String url) {
        return new LockstepOnRedis(store(url).createNamespace());
    }

    /** Uses the namespace that is there. */
    static LockstepOnRedis at(String url) {
        return new LockstepOnRedis(store(url));
    }

    private static RedisLockStore store(String url) {
        return RedisLockStore.at(url).namespace("bench");
    }

    static List<String> configuration() {
        return List.of("acquire(exclusive(...)) and close(), leases that are renewed, defaults otherwise");
    }

    /** A resource exclusively, its account and user shared. */
    Taker levels() {
        List<LockKey> resources = Population.resources();
        return () -> take(exclusive(Population.anyOf(resources)));
    }

    Taker set(int size) {
        List<LockKey> keys = keys();
        return () -> take(exclusive(Population.anyOf(keys, size)));
    }

    Taker key() {
        List<LockKey> keys = keys();
        return () -> take(exclusive(Population.anyOf(keys)));
    }

    private static List<LockKey> keys() {
        return Population.names(Population.RESOURCES).stream()
                .map(BenchmarkKinds.USER::key)
                .toList();
    }

    /** One key that all want. */
    Taker hotKey() {
        LockRequest request = exclusive(BenchmarkKinds.USER.key("hot")).within(PATIENCE);
        return () -> take(request);
    }

    private Taker.Held take(LockRequest request) {
        return locks.acquire(request)::close;
    }

    @Override
    public void close() {
        locks.close();
    }
}
