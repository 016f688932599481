package dev.lockstep.jdbc.sql;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Opens connections on separate threads: a {@code DataSource} without a free one, or a server that doesn't respond, takes longer than a
 * caller wants to wait.
 */
public final class TimeBoundedCall {
    /** How long an abandoned thread may take to leave a {@code DataSource}. */
    private static final long LEAVING_MILLIS = 500;

    private TimeBoundedCall() {}

    /**
     * Runs work that opens a connection; a result that comes too late is passed to {@code late}. A caller that gives up withdraws its thread from
     * the {@code DataSource}, where it would be handed the next connection that comes back, maybe while the application closes its pool.
     */
    public static <T> T call(Duration limit, SqlCall<T> work, Consumer<T> late) throws SQLException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread worker = DaemonThreads.create("lockstep-jdbc-connect", () -> run(work, late, answer));
        worker.start();
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (TimeoutException e) {
            abandon(worker, answer);
            throw noConnection("within " + limit.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            abandon(worker, answer);
            Thread.currentThread().interrupt();
            throw noConnection("before the thread was interrupted", e);
        }
    }

    private static void abandon(Thread worker, CompletableFuture<?> answer) {
        answer.cancel(false);
        worker.interrupt();
        try {
            worker.join(LEAVING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> void run(SqlCall<T> work, Consumer<T> late, CompletableFuture<T> answer) {
        try {
            T result = work.run();
            if (!answer.complete(result)) {
                late.accept(result);
            }
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        }
    }

    private static SQLException failure(ExecutionException error) throws SQLException {
        if (error.getCause() instanceof SQLException sql) {
            throw sql;
        }
        if (error.getCause() instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        return new SQLException("Connecting to the database failed: " + error.getCause(), error.getCause());
    }

    private static SQLException noConnection(String when, Exception cause) {
        return new SQLTransientConnectionException(
                "The DataSource had no connection that answered " + when, null, cause);
    }
}
