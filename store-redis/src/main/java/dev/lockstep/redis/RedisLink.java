package dev.lockstep.redis;

import dev.lockstep.redis.connection.Handshake;
import dev.lockstep.redis.connection.RedisAddresses;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the server, on which the calls of all threads travel one behind the other.
 *
 * <p>A call is sent at most once: what was on its way when a connection broke fails, and its sender decides. The next call makes a new
 * connection. Lettuce's own way, to send again by itself what may have been done already, would hide that from us.
 */
final class RedisLink implements AutoCloseable {
    private final RedisURI uri;
    private final RedisClient client;
    private final ResponseLimit answers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Pending<?>> pending = new ArrayDeque<>();
    private volatile @Nullable StatefulRedisConnection<String, String> current;
    private volatile boolean connecting;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile long heardAt;
    private long suspected;
    private volatile boolean closed;

    RedisLink(RedisClient client, RedisURI uri, Duration answerWithin) {
        // A handshake that isn't answered would keep everybody waiting for the client's default of a minute.
        this.uri = RedisAddresses.within(uri, answerWithin);
        this.client = client;
        answers = new ResponseLimit("Redis at " + RedisAddresses.text(uri), answerWithin);
    }

    RedisURI uri() {
        return uri;
    }

    ResponseLimit answers() {
        return answers;
    }

    // ---- calls

    /** Runs a script on a partition. */
    CompletionStage<List<Object>> call(Partition partition, Script script, String... more) {
        String[] keys = {partition.keys().memory()};
        String[] arguments = partition.arguments(more);
        return with(connection -> runKnown(connection.async(), script, keys, arguments));
    }

    /** Sends any other command. */
    <T> CompletionStage<T> send(Function<RedisAsyncCommands<String, String>, CompletionStage<T>> command) {
        return with(connection -> command.apply(connection.async()));
    }

    /** By its name, which is short; a server that has forgotten it gets the text. */
    private static CompletionStage<List<Object>> runKnown(
            RedisAsyncCommands<String, String> commands, Script script, String[] keys, String[] arguments) {
        CompletionStage<List<Object>> answer =
                commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
        return answer.exceptionallyCompose(error -> RedisErrors.causeOf(error) instanceof RedisNoScriptException
                ? commands.eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                : CompletableFuture.failedStage(error));
    }

    private <T> CompletionStage<T> send(
            Function<StatefulRedisConnection<String, String>, CompletionStage<T>> call,
            StatefulRedisConnection<String, String> on) {
        if (unanswered.getAndIncrement() == 0) {
            heardAt = System.nanoTime();
        }
        return attempt(call, on).whenComplete((reply, error) -> {
            heardAt = System.nanoTime();
            unanswered.decrementAndGet();
            if (error != null && RedisErrors.isReplica(RedisErrors.causeOf(error))) {
                drop(on); // the address may lead to the new master by now
            }
        });
    }

    private static <T> CompletionStage<T> attempt(
            Function<StatefulRedisConnection<String, String>, CompletionStage<T>> call,
            StatefulRedisConnection<String, String> on) {
        try {
            return call.apply(on);
        } catch (RuntimeException | Error e) { // the connection was closed just now
            return CompletableFuture.failedStage(e);
        }
    }

    /**
     * Gives up on a connection on which calls are waiting and nothing has come for too long. To be called from time to time; only what is
     * silent twice counts, since this process may have been the one that stood still.
     */
    void closeIfSilent() {
        StatefulRedisConnection<String, String> open = current;
        boolean silent = unanswered.get() > 0
                && System.nanoTime() - heardAt > answers.within().toNanos();
        if (open != null && silent && suspected == heardAt) {
            drop(open);
        }
        suspected = heardAt;
    }

    private static void drop(StatefulRedisConnection<String, String> connection) {
        CompletableFuture<Void> unused = connection.closeAsync();
    }

    // ---- the connection

    /** A call that waits for a connection. */
    private record Pending<T>(
            Function<StatefulRedisConnection<String, String>, CompletionStage<T>> call, CompletableFuture<T> answer) {
        void follow(CompletionStage<T> sent) {
            CompletionStage<T> unused = sent.whenComplete((value, error) -> {
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
            return send(call, open);
        }
        boolean interrupted = Thread.interrupted(); // starting its timer, Netty would forget it
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(ResponseLimit.closed());
            }
            StatefulRedisConnection<String, String> made = current;
            if (made != null && made.isOpen() && !connecting) {
                return send(call, made);
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
            CompletionStage<?> unused = Handshake.open(uri, ready -> client.connectAsync(StringCodec.UTF8, ready))
                    .whenComplete(this::connected);
        } catch (RuntimeException e) {
            connected(null, e);
        }
    }

    /**
     * Sends what waits under the lock, so that no later call overtakes it, but reports it only afterwards: the receiver of a failure may
     * call other links, and wait for their locks.
     */
    private void connected(@Nullable StatefulRedisConnection<String, String> connection, @Nullable Throwable error) {
        List<Runnable> tellings = new ArrayList<>();
        if (connection != null) {
            ClientName.set(connection);
        }
        lock.lock();
        try {
            current = connection;
            for (Pending<?> each = pending.poll(); each != null; each = pending.poll()) {
                tellings.add(connection == null ? failing(each, error) : sending(each, connection));
            }
            connecting = false;
        } finally {
            lock.unlock();
        }
        tellings.forEach(Runnable::run);
    }

    private static Runnable failing(Pending<?> call, @Nullable Throwable error) {
        Throwable cause = error == null ? ResponseLimit.closed() : RedisErrors.causeOf(error);
        return () -> call.answer().completeExceptionally(cause);
    }

    private <T> Runnable sending(Pending<T> call, StatefulRedisConnection<String, String> on) {
        CompletionStage<T> sent = send(call.call(), on);
        return () -> call.follow(sent);
    }

    /** Whether no call is under way. */
    boolean isIdle() {
        return unanswered.get() == 0 && !connecting;
    }

    /** Ends the connection to a server that is no longer asked. */
    void disconnect() {
        StatefulRedisConnection<String, String> open = current;
        if (open != null) {
            drop(open);
        }
    }

    /** What waits for a connection fails when the driver is closed, which comes next. */
    @Override
    public void close() {
        closed = true;
    }
}
