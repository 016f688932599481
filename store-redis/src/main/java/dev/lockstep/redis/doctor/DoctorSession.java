package dev.lockstep.redis.doctor;

import dev.lockstep.redis.connection.Handshake;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.connection.PartitionKeys;
import dev.lockstep.redis.connection.RedisAddresses;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of a {@code RedisDoctor} while it looks at a server. Every answer is waited for, but not forever. */
public final class DoctorSession implements AutoCloseable {
    private final RedisClient client;
    private final RedisURI uri;
    private final Namespace namespace;
    private final @Nullable PartitionKeys partition;
    private final StatefulRedisConnection<String, String> connection;

    /** To a single server, or to a node of a cluster that keeps a partition. */
    public DoctorSession(
            RedisURI uri,
            Namespace namespace,
            @Nullable PartitionKeys partition,
            Duration answerWithin,
            SslOptions tls) {
        this.namespace = namespace;
        this.partition = partition;
        this.uri = RedisAddresses.within(uri, answerWithin);
        client = RedisClient.create();
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .sslOptions(tls)
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

    public boolean isToCluster() {
        return partition != null;
    }

    /** Keys of the namespace that the server keeps. */
    public PartitionKeys keys() {
        return partition == null ? namespace.keys() : partition;
    }

    /** What to write for the user. */
    public AclRule rule() {
        String user = RedisAccessCheck.whoAmI(commands());
        return isToCluster() ? AclRule.ofCluster(user, namespace) : new AclRule(user, namespace);
    }

    public RedisCommands<String, String> commands() {
        return connection.sync();
    }

    /** Another connection, on which one can listen. */
    public StatefulRedisPubSubConnection<String, String> listener() {
        return await(Handshake.open(uri, ready -> client.connectPubSubAsync(StringCodec.UTF8, ready)));
    }

    /** Lettuce has its own limit for each step; this one is for credentials that never come. */
    private <C> C await(CompletionStage<C> opened) {
        return opened.toCompletableFuture()
                .orTimeout(3 * uri.getTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .join();
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
