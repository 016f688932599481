package dev.lockstep.jdbc.sql;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A dedicated connection for short calls, one at a time, each a transaction: opened when it is first needed, kept in between, and
 * replaced when a question failed on it. Every question ends in time, whatever the server, the network or the {@link DataSource} do.
 */
public final class DedicatedConnection implements AutoCloseable {
    public static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(5);

    /** How much later than the caller the driver gives up. */
    private static final Duration GRACE = Duration.ofMillis(500);

    /** Work on the connection. */
    public interface Call<T> {
        T on(Connection connection) throws SQLException;
    }

    private final DataSource dataSource;
    private final Duration responseTimeout;
    private final ReentrantLock use = new ReentrantLock();
    private volatile @Nullable BorrowedConnection kept;
    private volatile boolean closed;

    public DedicatedConnection(DataSource dataSource, Duration responseTimeout) {
        this.dataSource = dataSource;
        this.responseTimeout = responseTimeout;
    }

    /** Asks; once more, on a new connection, if one that was there before is found to be dead. So for what may be asked twice. */
    public <T> T call(Call<T> call) throws SQLException {
        return inTurn(until -> {
            boolean used = kept != null;
            try {
                return once(call, until);
            } catch (SQLException e) {
                if (!used
                        || SqlFault.of(e) != SqlFault.CONNECTION_LOST
                        || left(until).isZero()) {
                    throw e;
                }
                return once(call, until);
            }
        });
    }

    /** Calls once; after a failure it is unknown whether the server executed the call. */
    public <T> T callOnce(Call<T> call) throws SQLException {
        return inTurn(until -> once(call, until));
    }

    private interface Turn<T> {
        T take(long until) throws SQLException;
    }

    private <T> T inTurn(Turn<T> turn) throws SQLException {
        long until = System.nanoTime() + responseTimeout.toNanos();
        boolean interrupted =
                Thread.interrupted(); // it ends soon, and some pools give an interrupted thread no connection
        try {
            if (!use.tryLock(responseTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw silent("another question is still under way", null);
            }
            try {
                return turn.take(until);
            } finally {
                if (closed) {
                    drop();
                }
                use.unlock();
            }
        } catch (InterruptedException e) {
            interrupted = true;
            throw silent("the thread was interrupted", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T once(Call<T> call, long until) throws SQLException {
        requireOpen();
        BorrowedConnection at = open(until);
        try {
            return TimeBoundedCall.call(left(until), () -> call.on(at.connection()), late -> {});
        } catch (SQLException e) {
            drop();
            requireOpen();
            throw e.getCause() instanceof TimeoutException ? silent("nothing came back", e) : e;
        } catch (RuntimeException e) {
            drop();
            throw e;
        }
    }

    private SQLException silent(String why, @Nullable Exception cause) {
        String message = "The database did not answer within " + responseTimeout.toMillis() + " ms: " + why;
        return new SQLNonTransientConnectionException(message, "08S01", cause);
    }

    private static Duration left(long until) {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()));
    }

    private void requireOpen() {
        if (closed) {
            throw new LockException(ErrorCode.CLOSED, "The store on the database is closed.", List.of(), null);
        }
    }

    // ---- the connection

    private BorrowedConnection open(long until) throws SQLException {
        BorrowedConnection open = kept;
        if (open == null) {
            try {
                open = TimeBoundedCall.call(left(until), this::connect, DedicatedConnection::abort);
            } catch (RuntimeException e) { // some pools throw their own
                throw new SQLException("The DataSource gave no connection: " + e.getMessage(), "08001", e);
            }
            kept = open;
        }
        return open;
    }

    private BorrowedConnection connect() throws SQLException {
        BorrowedConnection borrowed = BorrowedConnection.from(dataSource);
        try {
            return borrowed.networkTimeout(responseTimeout.plus(GRACE)).readCommitted(true);
        } catch (SQLException | RuntimeException e) {
            borrowed.close();
            throw e;
        }
    }

    /** On a separate thread: some drivers ask the server first. */
    private static void abort(BorrowedConnection borrowed) {
        DaemonThreads.create("lockstep-jdbc-cancel", borrowed::abort).start();
    }

    private void drop() {
        BorrowedConnection dropped = kept;
        kept = null;
        if (dropped != null) {
            abort(dropped);
        }
    }

    /** Returns the connection in the state in which it was borrowed, or drops one that is in use. */
    @Override
    public void close() {
        closed = true;
        if (!use.tryLock()) {
            drop();
            return;
        }
        try {
            BorrowedConnection idle = kept;
            if (idle != null) {
                restoreAndClose(idle);
            }
        } finally {
            use.unlock();
        }
    }

    private void restoreAndClose(BorrowedConnection idle) {
        try {
            TimeBoundedCall.call(
                    responseTimeout,
                    () -> {
                        idle.restoreAndClose();
                        return true;
                    },
                    late -> {});
            kept = null;
        } catch (SQLException | RuntimeException e) {
            drop();
        }
    }
}
