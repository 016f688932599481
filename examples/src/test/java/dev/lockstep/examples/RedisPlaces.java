package dev.lockstep.examples;

import dev.lockstep.core.Locks;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
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
        return RedisLockStore.at(TestServers.redis().url()).namespace(namespace).answerWithin(Duration.ofSeconds(60));
    }

    static Locks locks(String namespace) {
        return Locks.builder(store(namespace))
                .defaultTerm(Duration.ofSeconds(30))
                .build();
    }

    static RedissonClient redisson() {
        return redisson(TestServers.redis().url());
    }

    /** A client of its own, as another process has one. */
    static RedissonClient redisson(String url) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(url.replaceAll("/\\d+$", ""))
                .setTimeout(60_000)
                .setConnectTimeout(60_000)
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(8)
                .setSubscriptionConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionPoolSize(4);
        return Redisson.create(config);
    }
}
