package dev.lockstep.redis.connection;

import dev.lockstep.core.InvalidRequestException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Reads the addresses of servers. */
public final class RedisAddresses {
    private RedisAddresses() {}

    public static RedisURI parse(String url) {
        try {
            return RedisURI.create(url);
        } catch (IllegalArgumentException e) { // its message may hold the password
            throw new InvalidRequestException(
                    "That is not the address of a Redis server. Write redis://host:6379, redis://user:password@host:6379/0 or"
                            + " rediss://host:6380, or redis-sentinel://host1:26379,host2:26379#name with the name of the master; special characters"
                            + " of the password are percent-encoded.");
        }
    }

    /** A copy to change. Lettuce's own leaves out the sentinels. */
    public static RedisURI.Builder copyOf(RedisURI uri) {
        RedisURI.Builder copy = RedisURI.builder(uri);
        if (isFoundBySentinels(uri)) {
            uri.getSentinels().forEach(copy::withSentinel);
            copy.withSentinelMasterId(uri.getSentinelMasterId());
        }
        return copy;
    }

    /** The same address with this timeout. It holds for each sentinel too, which are asked one after the other. */
    public static RedisURI within(RedisURI uri, Duration timeout) {
        RedisURI limited = copyOf(uri).withTimeout(timeout).build();
        limited.getSentinels()
                .replaceAll(each -> RedisURI.builder(each).withTimeout(timeout).build());
        return limited;
    }

    public static boolean isFoundBySentinels(RedisURI uri) {
        return !uri.getSentinels().isEmpty();
    }

    /** The address, for people to read: without its password. */
    public static String text(RedisURI uri) {
        if (isFoundBySentinels(uri)) {
            return "the master '" + uri.getSentinelMasterId() + "' of the sentinels " + sentinels(uri);
        }
        return uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort();
    }

    /** In an order that doesn't depend on how they were written. */
    public static String sentinels(RedisURI uri) {
        return uri.getSentinels().stream()
                .map(each -> each.getHost() + ":" + each.getPort())
                .sorted()
                .collect(Collectors.joining(","));
    }

    /** Nodes of a cluster. */
    public static List<RedisURI> ofCluster(List<RedisURI> uris) {
        if (uris.isEmpty()) {
            throw new InvalidRequestException("Name at least one node of the cluster, such as redis://host:6379.");
        }
        for (RedisURI each : uris) {
            if (each.getDatabase() != 0) {
                throw new InvalidRequestException("A Redis Cluster has one database only. Leave out /"
                        + each.getDatabase() + ", and use namespaces to keep applications apart.");
            }
            if (each.getHost() == null || isFoundBySentinels(each)) {
                throw new InvalidRequestException(
                        "A node of a Redis Cluster has a host and a port, and no sentinels. Write redis://host:6379.");
            }
        }
        return List.copyOf(uris);
    }
}
