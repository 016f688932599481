package dev.lockstep.jdbc;

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
 * A connection of its own for short questions, one at a time, each a transaction: opened when it is first needed, kept in between, and
 * replaced when a question failed on it. Every question ends in time, whatever the server, the network or the {@link DataSource} do.
 */
final class OwnLine implements AutoCloseable {
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    /** How much later than whoever asked the driver gives up. */
    private static final int GRACE_MILLIS = 500;

    /** Something to ask. */
    interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    /** The connection, and how it came. */
    private record Kept(Connection connection, boolean autoCommit, int isolation, int networkTimeout) {
        void giveBack() throws SQLException {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(autoCommit);
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
            connection.close();
        }

        /** On a thread of its own: some drivers ask the server first. */
        void drop() {
            CallWatch.daemon("lockstep-jdbc-cancel", this::abort).start();
        }

        private void abort() {
            try (connection) {
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException e) {
                // it may be closed already
            }
        }
    }

    private final DataSource dataSource;
    private final Duration answerWithin;
    private final ReentrantLock use = new ReentrantLock();
    private volatile @Nullable Kept kept;
    private volatile boolean closed;

    OwnLine(DataSource dataSource, Duration answerWithin) {
        this.dataSource = dataSource;
        this.answerWithin = answerWithin;
    }

    /** Asks; once more, on a new connection, if one that was there before is found to be dead. So for what may be asked twice. */
    <T> T ask(Question<T> question) throws SQLException {
        return inTurn(until -> {
            boolean used = kept != null;
            try {
                return once(question, until);
            } catch (SQLException e) {
                if (!used
                        || SqlFault.of(e) != SqlFault.CONNECTION_LOST
                        || left(until).isZero()) {
                    throw e;
                }
                return once(question, until);
            }
        });
    }

    /** Asks once; whoever is told of a failure doesn't know whether the server did it. */
    <T> T askOnce(Question<T> question) throws SQLException {
        return inTurn(until -> once(question, until));
    }

    private interface Turn<T> {
        T take(long until) throws SQLException;
    }

    private <T> T inTurn(Turn<T> turn) throws SQLException {
        long until = System.nanoTime() + answerWithin.toNanos();
        boolean interrupted =
                Thread.interrupted(); // it ends soon, and some pools give an interrupted thread no connection
        try {
            if (!use.tryLock(answerWithin.toNanos(), TimeUnit.NANOSECONDS)) {
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

    private <T> T once(Question<T> question, long until) throws SQLException {
        requireOpen();
        try {
            Kept at = open(until);
            return InTime.call(left(until), () -> question.ask(at.connection), late -> {});
        } catch (SQLException e) {
            drop();
            requireOpen();
            throw e.getCause() instanceof TimeoutException ? silent("no answer within the time", e) : e;
        } catch (LockException e) {
            throw e;
        } catch (RuntimeException e) { // some pools throw their own
            drop();
            throw new SQLException("The DataSource gave no connection: " + e.getMessage(), "08001", e);
        }
    }

    private SQLException silent(String why, @Nullable Exception cause) {
        String message = "The database did not answer within " + answerWithin.toMillis() + " ms: " + why;
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

    private Kept open(long until) throws SQLException {
        Kept open = kept;
        if (open == null) {
            open = InTime.call(left(until), this::connect, Kept::drop);
            kept = open;
        }
        return open;
    }

    private Kept connect() throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            Kept opened = new Kept(
                    connection,
                    connection.getAutoCommit(),
                    connection.getTransactionIsolation(),
                    connection.getNetworkTimeout());
            connection.setNetworkTimeout(Runnable::run, (int) answerWithin.toMillis() + GRACE_MILLIS);
            connection.setAutoCommit(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            return opened;
        } catch (SQLException | RuntimeException e) {
            try (connection) {
                throw e;
            }
        }
    }

    private void drop() {
        Kept dropped = kept;
        kept = null;
        if (dropped != null) {
            dropped.drop();
        }
    }

    /** Gives the connection back as it came, or drops one that is in use. */
    @Override
    public void close() {
        closed = true;
        if (!use.tryLock()) {
            drop();
            return;
        }
        try {
            Kept idle = kept;
            if (idle != null) {
                giveBack(idle);
            }
        } finally {
            use.unlock();
        }
    }

    private void giveBack(Kept idle) {
        try {
            InTime.call(
                    answerWithin,
                    () -> {
                        idle.giveBack();
                        return true;
                    },
                    late -> {});
            kept = null;
        } catch (SQLException | RuntimeException e) {
            drop();
        }
    }
}
