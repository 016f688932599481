package dev.lockstep.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens to the hints that the server gives this process: one channel of each partition for all of its requests. They may be lost. */
final class WakeCalls {
    private static final Logger LOG = LoggerFactory.getLogger(WakeCalls.class);

    private final Servers servers;
    private final String[] channels;
    private final Consumer<String> hint;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable StatefulRedisPubSubConnection<String, String> current;
    private boolean connecting;
    private volatile boolean warned;

    WakeCalls(Servers servers, String[] channels, Consumer<String> hint) {
        this.servers = servers;
        this.channels = channels;
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
            CompletionStage<?> unused = servers.listen().whenComplete(this::connected);
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
            public void message(String on, String part) {
                hint.accept(Part.leaseOf(part));
            }
        });
        connection.async().subscribe(channels).whenComplete((nothing, refusal) -> warn(refusal));
    }

    private void warn(@Nullable Throwable refusal) {
        if (refusal != null && !warned && !RedisErrors.isUnavailable(RedisErrors.causeOf(refusal))) {
            warned = true;
            LOG.warn(
                    "Redis doesn't let this user subscribe to '{}', so waits take up to a second longer. RedisDoctor tells what to allow: {}",
                    channels[0],
                    RedisErrors.causeOf(refusal).getMessage());
        }
    }
}
