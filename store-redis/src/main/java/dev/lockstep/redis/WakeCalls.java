package dev.lockstep.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
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
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable StatefulRedisPubSubConnection<String, String> current;
    private boolean connecting;
    private volatile boolean warned;

    WakeCalls(RedisLink link, String channel, Consumer<String> hint) {
        this.link = link;
        this.channel = channel;
        this.hint = hint;
    }

    /** Makes a connection if there is none. To be called from time to time. */
    void listen() {
        lock.lock();
        try {
            if (connecting || (current != null && current.isOpen())) {
                return;
            }
            connecting = true;
        } finally {
            lock.unlock();
        }
        try {
            CompletionStage<?> unused = link.client()
                    .connectPubSubAsync(StringCodec.UTF8, link.uri())
                    .whenComplete(this::connected);
        } catch (RuntimeException e) {
            connected(null, e);
        }
    }

    private void connected(
            @Nullable StatefulRedisPubSubConnection<String, String> connection, @Nullable Throwable error) {
        lock.lock();
        try {
            connecting = false;
            current = connection;
        } finally {
            lock.unlock();
        }
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
        connection.async().subscribe(channel).whenComplete((nothing, refusal) -> warn(refusal));
    }

    private void warn(@Nullable Throwable refusal) {
        if (refusal != null && !warned && !RedisErrors.isUnavailable(RedisErrors.causeOf(refusal))) {
            warned = true;
            LOG.warn(
                    "Redis doesn't let this user subscribe to '{}', so waits take up to a second longer. RedisDoctor tells what to allow: {}",
                    channel,
                    RedisErrors.causeOf(refusal).getMessage());
        }
    }
}
