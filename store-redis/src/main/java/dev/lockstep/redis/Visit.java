package dev.lockstep.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The connections of a {@link RedisDoctor} while it looks at a server. Every answer is waited for, but not for ever. */
final class Visit implements AutoCloseable {
    private final RedisClient client;
    private final Namespace namespace;
    private final StatefulRedisConnection<String, String> connection;

    Visit(RedisURI uri, Namespace namespace, Duration answerWithin) {
        this.namespace = namespace;
        RedisURI hurried = RedisURI.builder(uri).withTimeout(answerWithin).build();
        client = RedisClient.create(hurried);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .socketOptions(
                        SocketOptions.builder().connectTimeout(answerWithin).build())
                .build());
        try {
            connection = client.connect();
        } catch (RuntimeException e) {
            shutdown();
            throw e;
        }
    }

    Namespace namespace() {
        return namespace;
    }

    RedisCommands<String, String> commands() {
        return connection.sync();
    }

    /** Another connection, on which one can listen. */
    StatefulRedisPubSubConnection<String, String> listener() {
        return client.connectPubSub();
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
