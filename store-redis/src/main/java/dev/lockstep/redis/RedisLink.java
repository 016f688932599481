package dev.lockstep.redis;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the server, on which the calls of all threads travel one behind the other.
 *
 * <p>A call is sent at most once: what was on its way when a connection broke fails, and whoever sent it decides. The next call makes a new
 * connection. Lettuce's own way, to send again by itself what may have been done already, would hide that from us.
 */
final class RedisLink implements AutoCloseable {
    private final RedisURI uri;
    private final String[] keys;
    private final Duration answerWithin;
    private final ClientResources resources;
    private final RedisClient client;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Pending<?>> pending = new ArrayDeque<>();
    private volatile @Nullable StatefulRedisConnection<String, String> current;
    private volatile boolean connecting;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile long heardAt;
    private long suspected;
    private volatile boolean closed;

    RedisLink(RedisURI uri, Namespace namespace, Duration answerWithin) {
        // A handshake that isn't answered would keep everybody waiting for the client's default of a minute.
        this.uri = RedisURI.builder(uri).withTimeout(answerWithin).build();
        this.answerWithin = answerWithin;
        keys = new String[] {namespace.memory()};
        resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build();
        client = RedisClient.create(resources, this.uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(answerWithin)
                        .keepAlive(true)
                        .build())
                .build());
    }

    Duration answerWithin() {
        return answerWithin;
    }

    RedisClient client() {
        return client;
    }

    RedisURI uri() {
        return uri;
    }

    /** The server's address, for people to read. */
    String address() {
        return uri.getHost() == null ? "the Redis server" : "Redis at " + uri.getHost() + ":" + uri.getPort();
    }

    // ---- calls

    /** Runs a script. The arguments follow those that all scripts have. */
    CompletionStage<List<Object>> call(Script script, String... arguments) {
        return with(connection -> run(connection, script, arguments));
    }

    /** Sends any other command. */
    <T> CompletionStage<T> send(Function<RedisAsyncCommands<String, String>, CompletionStage<T>> command) {
        return with(connection -> command.apply(connection.async()));
    }

    private CompletionStage<List<Object>> run(
            StatefulRedisConnection<String, String> on, Script script, String[] arguments) {
        if (unanswered.getAndIncrement() == 0) {
            heardAt = System.nanoTime();
        }
        return runKnown(on.async(), script, arguments).whenComplete((reply, error) -> {
            heardAt = System.nanoTime();
            unanswered.decrementAndGet();
            if (error != null && RedisErrors.isReplica(RedisErrors.causeOf(error))) {
                drop(on); // the address may lead to the new master by now
            }
        });
    }

    /** By its name, which is short; a server that has forgotten it gets the text. */
    private CompletionStage<List<Object>> runKnown(
            RedisAsyncCommands<String, String> commands, Script script, String[] arguments) {
        try {
            CompletionStage<List<Object>> answer =
                    commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
            return answer.exceptionallyCompose(error -> RedisErrors.causeOf(error) instanceof RedisNoScriptException
                    ? commands.eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                    : CompletableFuture.failedStage(error));
        } catch (RuntimeException e) { // the connection was closed just now
            return CompletableFuture.failedStage(e);
        }
    }

    /**
     * Gives up on a connection on which calls are waiting and nothing has come for too long. To be called from time to time; only what is
     * silent twice counts, since this process may have been the one that stood still.
     */
    void closeIfSilent() {
        StatefulRedisConnection<String, String> open = current;
        boolean silent = unanswered.get() > 0 && System.nanoTime() - heardAt > answerWithin.toNanos();
        if (open != null && silent && suspected == heardAt) {
            drop(open);
        }
        suspected = heardAt;
    }

    /**
     * Waits for an answer, not for ever, and not to be interrupted: what was asked of the server will be done whether or not anyone waits.
     */
    <T> T await(CompletionStage<T> answer, String doing) {
        boolean interrupted = false;
        long end = System.nanoTime() + answerWithin.toNanos();
        try {
            while (true) {
                try {
                    return answer.toCompletableFuture().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            throw unanswered(doing);
        } catch (ExecutionException e) {
            throw RedisErrors.of(e, doing, List.of());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    LockException unanswered(String doing) {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                doing + " failed: " + address() + " didn't answer within " + answerWithin.toMillis()
                        + " ms. Try again when it does.",
                List.of(),
                null);
    }

    private static void drop(StatefulRedisConnection<String, String> connection) {
        CompletableFuture<Void> unused = connection.closeAsync();
    }

    // ---- the connection

    /** A call that waits for a connection. */
    private record Pending<T>(
            Function<StatefulRedisConnection<String, String>, CompletionStage<T>> call, CompletableFuture<T> answer) {
        void send(StatefulRedisConnection<String, String> connection) {
            CompletionStage<T> unused = call.apply(connection).whenComplete((value, error) -> {
                if (error == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(error);
                }
            });
        }
    }

    /** Sends a call on the open connection; if there is none, on the next one, behind those that came before it. */
    private <T> CompletionStage<T> with(Function<StatefulRedisConnection<String, String>, CompletionStage<T>> call) {
        StatefulRedisConnection<String, String> open = current;
        if (open != null && open.isOpen() && !connecting) {
            return call.apply(open);
        }
        boolean interrupted = Thread.interrupted(); // starting its timer, Netty would forget it
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(closedException());
            }
            StatefulRedisConnection<String, String> made = current;
            if (made != null && made.isOpen() && !connecting) {
                return call.apply(made);
            }
            Pending<T> later = new Pending<>(call, new CompletableFuture<>());
            pending.add(later);
            connect();
            return later.answer();
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void connect() {
        if (connecting) {
            return;
        }
        connecting = true;
        try {
            CompletionStage<?> unused =
                    client.connectAsync(StringCodec.UTF8, uri).whenComplete(this::connected);
        } catch (RuntimeException e) {
            connected(null, e);
        }
    }

    private void connected(@Nullable StatefulRedisConnection<String, String> connection, @Nullable Throwable error) {
        lock.lock();
        try {
            current = connection;
            for (Pending<?> each = pending.poll(); each != null; each = pending.poll()) {
                if (connection != null) {
                    each.send(connection);
                } else {
                    each.answer().completeExceptionally(error == null ? closedException() : RedisErrors.causeOf(error));
                }
            }
            connecting = false;
        } finally {
            lock.unlock();
        }
    }

    LockException closedException() {
        return new LockException(ErrorCode.CLOSED, "The Redis store is closed.", List.of(), null);
    }

    @Override
    public void close() {
        closed = true;
        boolean interrupted = Thread.interrupted(); // the client would stop half-way
        try {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        } finally {
            Future<?> unused = resources.shutdown(0, 2, TimeUnit.SECONDS);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
