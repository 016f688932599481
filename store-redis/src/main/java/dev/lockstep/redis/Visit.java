package dev.lockstep.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The connections of a {@link RedisDoctor} while it looks at a server. Every answer is waited for, but not for ever. */
final class Visit implements AutoCloseable {
    private static final String NOT_READY = "Currently not connected. Commands are rejected.";
    private static final Duration READY_WITHIN = Duration.ofSeconds(1);

    private final RedisClient client;
    private final Namespace namespace;
    private final @Nullable PartitionKeys partition;
    private final StatefulRedisConnection<String, String> connection;

    /** To a single server, or to a node of a cluster that keeps a partition. */
    Visit(RedisURI uri, Namespace namespace, @Nullable PartitionKeys partition, Duration answerWithin) {
        this.namespace = namespace;
        this.partition = partition;
        RedisURI hurried = RedisURI.builder(uri).withTimeout(answerWithin).build();
        client = RedisClient.create(hurried);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .socketOptions(
                        SocketOptions.builder().connectTimeout(answerWithin).build())
                .build());
        try {
            connection = ready(client.connect());
        } catch (RuntimeException e) {
            shutdown();
            throw e;
        }
    }

    boolean isToCluster() {
        return partition != null;
    }

    /** Keys of the namespace that the server keeps. */
    PartitionKeys keys() {
        return partition == null ? namespace.keys() : partition;
    }

    /** What to write for the user. */
    AclRule rule() {
        String user = AccessExam.whoAmI(commands());
        return isToCluster() ? AclRule.ofCluster(user, namespace) : new AclRule(user, namespace);
    }

    RedisCommands<String, String> commands() {
        return connection.sync();
    }

    /** Another connection, on which one can listen. */
    StatefulRedisPubSubConnection<String, String> listener() {
        return ready(client.connectPubSub());
    }

    /**
     * Waits until a new connection takes commands. Lettuce may hand it out a moment before it knows that it is open, and refuses
     * commands until then.
     */
    private static <C extends StatefulRedisConnection<String, String>> C ready(C connection) {
        long end = System.nanoTime() + READY_WITHIN.toNanos();
        while (true) {
            try {
                connection.sync().ping();
                return connection;
            } catch (RedisCommandExecutionException e) {
                return connection; // the server refuses, and so it answers
            } catch (RedisException e) {
                if (!NOT_READY.equals(e.getMessage()) || System.nanoTime() - end > 0) {
                    throw e;
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Where a URI leads to, without its password. */
    static String address(RedisURI uri) {
        if (uri.getSocket() != null) {
            return uri.getSocket();
        }
        return uri.getHost() == null ? "the sentinels' master" : uri.getHost() + ":" + uri.getPort();
    }

    @Override
    public void close() {
        connection.close();
        shutdown();
    }

    private void shutdown() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
