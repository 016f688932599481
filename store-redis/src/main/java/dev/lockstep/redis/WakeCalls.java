package dev.lockstep.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens to the hints that the server gives this process: one channel for all of its requests. They may be lost. */
final class WakeCalls {
    private static final Logger LOG = LoggerFactory.getLogger(WakeCalls.class);

    private final RedisLink link;
    private final String channel;
    private final Consumer<String> hint;
    private final AtomicReference<@Nullable StatefulRedisPubSubConnection<String, String>> current =
            new AtomicReference<>();
    private boolean connecting;
    private boolean warned;

    WakeCalls(RedisLink link, String channel, Consumer<String> hint) {
        this.link = link;
        this.channel = channel;
        this.hint = hint;
    }

    /** Makes a connection if there is none. To be called from time to time. */
    synchronized void listen() {
        StatefulRedisPubSubConnection<String, String> open = current.get();
        if (connecting || (open != null && open.isOpen())) {
            return;
        }
        connecting = true;
        CompletionStage<?> unused =
                link.client().connectPubSubAsync(StringCodec.UTF8, link.uri()).whenComplete(this::connected);
    }

    private synchronized void connected(
            @Nullable StatefulRedisPubSubConnection<String, String> connection, @Nullable Throwable error) {
        connecting = false;
        if (connection == null) {
            LOG.debug("No connection for hints, so waits take up to a second longer", error);
            return;
        }
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String on, String lease) {
                hint.accept(lease);
            }
        });
        current.set(connection);
        connection.async().subscribe(channel).whenComplete((nothing, refusal) -> warn(refusal));
    }

    private synchronized void warn(@Nullable Throwable refusal) {
        if (refusal != null && !warned && !RedisErrors.isUnavailable(RedisErrors.causeOf(refusal))) {
            warned = true;
            LOG.warn(
                    "Redis doesn't let this user subscribe to '{}', so waits take up to a second longer. RedisDoctor tells what to allow: {}",
                    channel,
                    RedisErrors.causeOf(refusal).getMessage());
        }
    }
}
