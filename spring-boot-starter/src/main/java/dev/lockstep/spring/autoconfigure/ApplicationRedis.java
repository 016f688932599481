package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The Redis server that Spring Boot connects the application to. */
final class ApplicationRedis implements RedisUriSource {
    private final DataRedisConnectionDetails details;
    private final ConfigurableListableBeanFactory beans;

    ApplicationRedis(DataRedisConnectionDetails details, ConfigurableListableBeanFactory beans) {
        this.details = details;
        this.beans = beans;
    }

    @Override
    public RedisURI uri() {
        refuseOwnConnections();
        refuseCluster();
        refuseSentinel();
        refuse(details.getMasterReplica(), "a master with replicas");
        @Nullable Standalone server = details.getStandalone();
        if (server == null) {
            throw new LockstepStartException(
                    "The application's Redis connection names no server.",
                    "Write lockstep.redis.url=redis://host:6379.");
        }
        RedisURI uri = RedisURI.create(server.getHost(), server.getPort());
        uri.setDatabase(server.getDatabase());
        uri.setSsl(usesTls());
        if (details.getPassword() != null) {
            uri.setCredentialsProvider(new StaticCredentialsProvider(
                    details.getUsername(), details.getPassword().toCharArray()));
        }
        return uri;
    }

    /** A connection that the application makes itself may lead to another server than spring.data.redis says. */
    private void refuseOwnConnections() {
        for (String name : beans.getBeanNamesForType(RedisConnectionFactory.class, true, false)) {
            if (!isMadeByBoot(name)) {
                throw new LockstepStartException(
                        "The application makes its own Redis connection, the bean '" + name
                                + "', so it is not known which server locks shall use.",
                        "Write lockstep.redis.url=redis://host:6379.");
            }
        }
    }

    private boolean isMadeByBoot(String name) {
        return beans.containsBeanDefinition(name)
                && String.valueOf(beans.getBeanDefinition(name).getFactoryBeanName())
                        .startsWith("org.springframework.boot.");
    }

    /** What a bundle holds beside the JVM's own trust store can't be handed on. */
    private boolean usesTls() {
        @Nullable SslBundle bundle = details.getSslBundle();
        if (bundle != null
                && (bundle.getStores().getTrustStore() != null
                        || bundle.getStores().getKeyStore() != null)) {
            throw new LockstepStartException(
                    "The application's Redis connection uses an SSL bundle with certificates of its own, which locks can't use"
                            + " yet.",
                    "Put the certificate into the JVM's trust store (javax.net.ssl.trustStore) and write"
                            + " lockstep.redis.url=rediss://host:6379, or define a bean of type LockStore.");
        }
        return bundle != null;
    }

    /** Not used unless it is named: what a failover may lose there is to be a person's decision. */
    private void refuseCluster() {
        @Nullable Cluster cluster = details.getCluster();
        if (cluster != null) {
            String scheme = details.getSslBundle() == null ? "redis://" : "rediss://";
            String nodes = cluster.getNodes().stream()
                    .map(node -> scheme + node.host() + ":" + node.port())
                    .collect(Collectors.joining(","));
            throw new LockstepStartException(
                    "The application's Redis is a cluster. There a failover can lose locks, which are then granted again while their"
                            + " holders may still be at work; only tokens tell who is late.",
                    "Write lockstep.redis.cluster=" + nodes
                            + " to use it, with the user and the password in each address; or lockstep.redis.url=redis://host:6379 with"
                            + " a separate server for locks; or choose another lockstep.store.");
        }
    }

    /** Not used unless it is named, either. */
    private void refuseSentinel() {
        @Nullable Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            String nodes = sentinel.getNodes().stream()
                    .map(node -> node.host() + ":" + node.port())
                    .collect(Collectors.joining(","));
            throw new LockstepStartException(
                    "The application's Redis is found by Sentinel. There a failover can lose locks, and no lock is granted for"
                            + " lockstep.redis.longest-term afterwards.",
                    "Write lockstep.redis.url=redis-sentinel://" + nodes + "#" + sentinel.getMaster()
                            + " to use it, with the user and the password of the server before the nodes; or"
                            + " lockstep.redis.url=redis://host:6379 with a separate server for locks; or choose another"
                            + " lockstep.store.");
        }
    }

    private static void refuse(@Nullable Object part, String how) {
        if (part != null) {
            throw RedisStoreFactory.failingOver("The application's Redis is " + how);
        }
    }
}
