package dev.lockstep.cli.store;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What Redis has recorded of a namespace of locks. */
record NamespaceRecord(List<RedisURI> uris, boolean cluster, String namespace) {
    /** The kinds that were locked there; empty where Redis doesn't know the namespace. */
    Optional<Set<String>> kinds() {
        return InTime.call("Asking Redis for its namespaces", () -> {
            try {
                return cluster ? ofCluster() : ofServer();
            } catch (RedisException e) {
                throw new LockException(
                        ErrorCode.STORE_UNAVAILABLE, "Redis doesn't answer: " + e.getMessage(), List.of(), e);
            }
        });
    }

    private Optional<Set<String>> ofServer() {
        RedisClient client = RedisClient.create(uris.get(0));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return read(connection.sync(), "lockstep:{" + namespace + "}");
        } finally {
            client.shutdown();
        }
    }

    /** All partitions have the same kinds. */
    private Optional<Set<String>> ofCluster() {
        RedisClusterClient client = RedisClusterClient.create(uris);
        try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
            return read(connection.sync(), "lockstep:{" + namespace + ":0}");
        } finally {
            client.shutdown();
        }
    }

    private static Optional<Set<String>> read(RedisClusterCommands<String, String> redis, String memory) {
        String kinds = memory + ":kinds";
        return redis.exists(memory, kinds) == 0 ? Optional.empty() : Optional.of(new TreeSet<>(redis.hkeys(kinds)));
    }
}
