package dev.lockstep.examples;

import dev.lockstep.core.Locks;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.TestServers;
import java.util.concurrent.atomic.AtomicInteger;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Lockstep and Redisson on the Redis of the tests, each test in a namespace of its own. */
final class RedisPlaces {
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private RedisPlaces() {}

    /** A namespace that nobody has used. */
    static String newNamespace() {
        String name = "examples-" + ProcessHandle.current().pid() + "-" + NAMESPACES.incrementAndGet();
        try (RedisLockStore store = store(name)) {
            store.createNamespace();
        }
        return name;
    }

    static RedisLockStore store(String namespace) {
        return RedisLockStore.at(TestServers.redis().url()).namespace(namespace);
    }

    static Locks locks(String namespace) {
        return Locks.on(store(namespace));
    }

    static RedissonClient redisson() {
        return redisson(TestServers.redis().url());
    }

    /** A client of its own, as another process has one. */
    static RedissonClient redisson(String url) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(url.replaceAll("/\\d+$", ""))
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(8)
                .setSubscriptionConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionPoolSize(4);
        return Redisson.create(config);
    }
}
