package dev.lockstep.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of a {@link RedisDoctor} while it looks at a server. Every answer is waited for, but not for ever. */
final class Visit implements AutoCloseable {
    private final RedisClient client;
    private final RedisURI uri;
    private final Namespace namespace;
    private final @Nullable PartitionKeys partition;
    private final StatefulRedisConnection<String, String> connection;

    /** To a single server, or to a node of a cluster that keeps a partition. */
    Visit(RedisURI uri, Namespace namespace, @Nullable PartitionKeys partition, Duration answerWithin) {
        this.namespace = namespace;
        this.partition = partition;
        this.uri = RedisURI.builder(uri).withTimeout(answerWithin).build();
        client = RedisClient.create();
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .socketOptions(
                        SocketOptions.builder().connectTimeout(answerWithin).build())
                .build());
        try {
            connection = await(Handshake.open(this.uri, ready -> client.connectAsync(StringCodec.UTF8, ready)));
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
        return await(Handshake.open(uri, ready -> client.connectPubSubAsync(StringCodec.UTF8, ready)));
    }

    /** Lettuce has its own limit for each step; this one is for credentials that never come. */
    private <C> C await(CompletionStage<C> opened) {
        return opened.toCompletableFuture()
                .orTimeout(3 * uri.getTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .join();
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
