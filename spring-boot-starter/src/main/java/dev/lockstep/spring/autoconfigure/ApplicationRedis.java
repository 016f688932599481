package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/** The Redis server that Spring Boot connects the application to. */
final class ApplicationRedis implements RedisUriSource {
    private final DataRedisConnectionDetails details;

    ApplicationRedis(DataRedisConnectionDetails details) {
        this.details = details;
    }

    @Override
    public RedisURI uri() {
        refuse(details.getCluster(), "a cluster");
        refuse(details.getSentinel(), "found by Sentinel");
        refuse(details.getMasterReplica(), "a master with replicas");
        @Nullable Standalone server = details.getStandalone();
        if (server == null) {
            throw new LockstepStartException(
                    "The application's Redis connection names no server.",
                    "Write lockstep.redis.url=redis://host:6379.");
        }
        RedisURI uri = RedisURI.create(server.getHost(), server.getPort());
        uri.setDatabase(server.getDatabase());
        uri.setSsl(details.getSslBundle() != null);
        if (details.getPassword() != null) {
            uri.setCredentialsProvider(new StaticCredentialsProvider(
                    details.getUsername(), details.getPassword().toCharArray()));
        }
        return uri;
    }

    private static void refuse(@Nullable Object part, String how) {
        if (part != null) {
            throw new LockstepStartException(
                    "The application's Redis is " + how
                            + ", where a lock could be granted twice after a failover. Locks need one server.",
                    "Write lockstep.redis.url=redis://host:6379 with a server of its own for locks, or choose another"
                            + " lockstep.store.");
        }
    }
}
