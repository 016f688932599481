package dev.lockstep.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A lock as it is often written: SET NX PX, owned by a thread, kept alive by a scheduler. It shows that the tests of what goes wrong
 * with such locks can tell the difference.
 */
final class NaiveLock implements AutoCloseable {
    private final StatefulRedisConnection<String, String> connection;
    private final RedisCommands<String, String> redis;
    private final String key;
    private final Duration term;
    private final ScheduledExecutorService renewer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "naive-renewer");
        thread.setDaemon(true);
        return thread;
    });

    NaiveLock(StatefulRedisConnection<String, String> connection, String key, Duration term) {
        this.connection = connection;
        redis = connection.sync();
        this.key = key;
        this.term = term;
    }

    boolean tryLock() {
        return redis.set(key, me(), SetArgs.Builder.nx().px(term)) != null;
    }

    /** The command is still in the client's buffer when the interrupt is seen, and goes on its way all the same. */
    void lockInterruptibly() throws InterruptedException, ExecutionException {
        connection.setAutoFlushCommands(false);
        try {
            connection.async().set(key, me(), SetArgs.Builder.nx().px(term)).get();
        } finally {
            connection.flushCommands();
            connection.setAutoFlushCommands(true);
        }
    }

    private static String me() {
        return Long.toString(Thread.currentThread().getId());
    }

    ScheduledFuture<?> keepAlive() {
        long third = term.toMillis() / 3;
        return renewer.scheduleAtFixedRate(this::renew, third, third, TimeUnit.MILLISECONDS);
    }

    /** Sets the lock again, without a look at whose it is. */
    void renew() {
        redis.set(key, me(), SetArgs.Builder.px(term));
    }

    ScheduledExecutorService renewer() {
        return renewer;
    }

    void unlock() {
        Long deleted = redis.eval(
                "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0",
                ScriptOutputType.INTEGER,
                new String[] {key},
                me());
        if (deleted == 0) {
            throw new IllegalMonitorStateException("not locked by current thread");
        }
    }

    boolean isFree() {
        return redis.exists(key) == 0;
    }

    @Override
    public void close() {
        renewer.shutdownNow();
    }
}
