package dev.lockstep.redis;

import dev.lockstep.core.InvalidRequestException;
import io.lettuce.core.RedisURI;
import java.util.List;

/** Reads the addresses of servers. */
final class RedisAddresses {
    private RedisAddresses() {}

    static RedisURI parse(String url) {
        try {
            return RedisURI.create(url);
        } catch (IllegalArgumentException e) { // its message may hold the password
            throw new InvalidRequestException(
                    "That is not the address of a Redis server. Write redis://host:6379, redis://user:password@host:6379/0 or"
                            + " rediss://host:6380, with special characters of the password percent-encoded.");
        }
    }

    /** Nodes of a cluster. */
    static List<RedisURI> ofCluster(List<RedisURI> uris) {
        if (uris.isEmpty()) {
            throw new InvalidRequestException("Name at least one node of the cluster, such as redis://host:6379.");
        }
        for (RedisURI each : uris) {
            if (each.getDatabase() != 0) {
                throw new InvalidRequestException("A Redis Cluster has one database only. Leave out /"
                        + each.getDatabase() + ", and use namespaces to keep applications apart.");
            }
            if (each.getHost() == null) {
                throw new InvalidRequestException(
                        "A node of a Redis Cluster has a host and a port. Write redis://host:6379.");
            }
        }
        return List.copyOf(uris);
    }
}
