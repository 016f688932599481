package dev.lockstep.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens to the hints that the server gives this process: one channel of each partition for all of its requests. They may be lost. */
final class HintListener {
    private static final Logger LOG = LoggerFactory.getLogger(HintListener.class);

    private static final long PING_EVERY = TimeUnit.SECONDS.toNanos(5);

    private final Servers servers;
    private final String[] channels;
    private final Consumer<String> hint;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable StatefulRedisPubSubConnection<String, String> current;
    private boolean connecting;

    /** The last question whether the connection works. Nothing else is sent on it, so that a dead one would look like a quiet one. */
    private @Nullable CompletionStage<String> ping;

    private long pingedAt;
    private boolean suspected;
    private volatile boolean warned;

    HintListener(Servers servers, String[] channels, Consumer<String> hint) {
        this.servers = servers;
        this.channels = channels;
        this.hint = hint;
    }

    /** Opens a connection if there is none, and asks whether an open one works. To be called from time to time. */
    void listen() {
        lock.lock();
        try {
            if (connecting) {
                return;
            }
            if (current != null && current.isOpen()) {
                checkAlive(current);
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

    /** Closes a connection that doesn't answer. Only one that is silent twice counts, since this process may have been suspended. */
    private void checkAlive(StatefulRedisPubSubConnection<String, String> connection) {
        long silent = System.nanoTime() - pingedAt;
        boolean answered = ping == null || ping.toCompletableFuture().isDone();
        boolean silentForTooLong =
                !answered && silent > servers.answers().within().toNanos();
        if (answered && silent > PING_EVERY) {
            pingedAt = System.nanoTime();
            ping = connection.async().ping();
        } else if (silentForTooLong && suspected) {
            CompletionStage<?> unused = connection.closeAsync();
        }
        suspected = silentForTooLong;
    }

    private void connected(
            @Nullable StatefulRedisPubSubConnection<String, String> connection, @Nullable Throwable error) {
        lock.lock();
        try {
            connecting = false;
            current = connection;
            ping = null;
            pingedAt = System.nanoTime();
            suspected = false;
        } finally {
            lock.unlock();
        }
        if (connection == null) {
            LOG.debug("No connection for hints, so waits take up to a second longer", error);
            return;
        }
        ClientName.set(connection);
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String on, String slice) {
                hint.accept(slice);
            }
        });
        connection.async().subscribe(channels).whenComplete((nothing, refusal) -> warn(refusal));
    }

    private void warn(@Nullable Throwable refusal) {
        if (refusal != null && !warned && !RedisErrors.isUnavailable(RedisErrors.causeOf(refusal))) {
            warned = true;
            LOG.warn(
                    "Redis doesn't let this user subscribe to '{}', so waits take up to a second longer. RedisDoctor says what to allow: {}",
                    channels[0],
                    RedisErrors.causeOf(refusal).getMessage());
        }
    }
}
