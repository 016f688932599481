package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.redis.RedisDoctor;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.StoreDoctor;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Locks on Redis. */
final class RedisStoreFactory implements StoreFactory {
    private final LockstepProperties properties;
    private final ObjectProvider<RedisUriSource> application;

    RedisStoreFactory(LockstepProperties properties, ObjectProvider<RedisUriSource> application) {
        this.properties = properties;
        this.application = application;
    }

    @Override
    public boolean makes(StoreType type) {
        return type == StoreType.REDIS;
    }

    @Override
    public LockStore open(StoreType type, Kinds kinds) {
        RedisLockStore store = isCluster() ? cluster() : RedisLockStore.at(uri());
        if (properties.namespace() != null) {
            store = store.namespace(properties.namespace());
        }
        if (properties.redis().longestTerm() != null) {
            store = store.longestTerm(properties.redis().longestTerm());
        }
        if (properties.redis().answerWithin() != null) {
            store = store.answerWithin(properties.redis().answerWithin());
        }
        return store;
    }

    @Override
    public StoreDoctor doctor(StoreType type) {
        RedisDoctor doctor = isCluster() ? RedisDoctor.cluster(nodes()) : RedisDoctor.at(uri());
        return properties.namespace() == null ? doctor::examine : doctor.namespace(properties.namespace())::examine;
    }

    private boolean isCluster() {
        return properties.redis().isCluster();
    }

    private RedisLockStore cluster() {
        RedisLockStore store = RedisLockStore.cluster(nodes());
        @Nullable Integer partitions = properties.redis().partitions();
        return partitions == null ? store : store.partitions(partitions);
    }

    private List<RedisURI> nodes() {
        return Objects.requireNonNull(properties.redis().cluster()).stream()
                .map(each -> parse("lockstep.redis.cluster", each))
                .toList();
    }

    private RedisURI uri() {
        @Nullable String url = properties.redis().url();
        if (url != null) {
            return parse("lockstep.redis.url", url);
        }
        @Nullable RedisUriSource source = application.getIfAvailable();
        if (source == null) {
            throw new LockstepStartException(
                    "lockstep.store=redis needs a Redis server, and the application has no connection to one.",
                    "Write lockstep.redis.url=redis://host:6379; or add spring-boot-starter-data-redis and write"
                            + " spring.data.redis.host.");
        }
        return source.uri();
    }

    /** Refuses servers of which another may take the place. */
    static LockstepStartException failingOver(String what) {
        return new LockstepStartException(
                what + ", where a lock could be granted twice after a failover. Locks need one server.",
                "Write lockstep.redis.url=redis://host:6379 with a separate server for locks, or choose another"
                        + " lockstep.store.");
    }

    private static RedisURI parse(String setting, String url) {
        try {
            return RedisURI.create(url);
        } catch (IllegalArgumentException e) { // neither its message nor itself: they may hold the password
            throw new LockstepStartException(
                    setting + " is not the address of a Redis server.",
                    "Write redis://host:6379, redis://user:password@host:6379/0, rediss://host:6380 or"
                            + " redis-sentinel://host1:26379,host2:26379#name, with special characters of the password percent-encoded.");
        }
    }
}
