package dev.lockstep.inventory.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection in a transaction. What isn't committed when it is closed is rolled back. */
public final class Session implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final Executor DIRECT = Runnable::run;

    private final Connection connection;
    private final boolean autoCommit;
    private final int isolation;
    private final TransactionSerializer serializer;
    private final TimeLimits limits;
    private final int networkTimeout;
    private boolean open = true;

    private Session(
            Connection connection,
            boolean autoCommit,
            int isolation,
            TransactionSerializer serializer,
            TimeLimits limits,
            int networkTimeout) {
        this.connection = connection;
        this.autoCommit = autoCommit;
        this.isolation = isolation;
        this.serializer = serializer;
        this.limits = limits;
        this.networkTimeout = networkTimeout;
    }

    /** Begins a transaction; {@code isolation} is the connection's own, and is restored at the end. */
    public static Session begin(
            Connection connection, int isolation, TransactionSerializer serializer, TimeLimits limits)
            throws SQLException {
        try {
            int networkTimeout = connection.getNetworkTimeout();
            limit(connection, limits.statementMillis());
            boolean autoCommit = connection.getAutoCommit();
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            if (autoCommit) {
                connection.setAutoCommit(false);
            }
            return new Session(connection, autoCommit, isolation, serializer, limits, networkTimeout);
        } catch (SQLException | RuntimeException e) {
            serializer.release();
            close(connection);
            throw e;
        }
    }

    /** Lowers the time after which the server counts as gone. */
    private static void limit(Connection connection, int millis) throws SQLException {
        int timeout = connection.getNetworkTimeout();
        if (timeout <= 0 || timeout > millis) {
            connection.setNetworkTimeout(DIRECT, millis);
        }
    }

    public Connection connection() {
        return connection;
    }

    /** Statements of a transaction. */
    @FunctionalInterface
    public interface Step<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Runs some statements; after an error that says the server is read-only, the connection is not used again. */
    public <T> T run(Step<T> step) throws SQLException {
        try {
            return step.on(connection);
        } catch (SQLException e) {
            discardIfReadOnly(e);
            throw e;
        }
    }

    public void commit() throws CommitInDoubtException, ConflictException {
        try {
            limit(connection, limits.commitMillis());
            open = false;
            connection.commit();
        } catch (SQLException e) {
            discardIfReadOnly(e);
            if (Fault.of(e) == Fault.CONFLICT) {
                throw new ConflictException("The commit was refused", e);
            }
            throw new CommitInDoubtException(e);
        } catch (RuntimeException | Error e) { // of a driver or a pool that is broken: the server may have got it
            throw new CommitInDoubtException(e);
        }
    }

    /** Closes the connection for good after an error that says it leads to a read-only server, so that the pool opens another. */
    public void discardIfReadOnly(SQLException error) {
        if (Fault.of(error) == Fault.READ_ONLY) {
            try {
                connection.abort(DIRECT);
            } catch (SQLException | RuntimeException e) {
                LOG.debug("A connection to a read-only server could not be closed", e);
            }
        }
    }

    @Override
    public void close() {
        try {
            if (open) {
                connection.rollback();
            }
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(isolation);
            }
            if (connection.getNetworkTimeout() != networkTimeout) {
                connection.setNetworkTimeout(DIRECT, networkTimeout);
            }
        } catch (SQLException | RuntimeException e) { // what was committed stays so
            LOG.debug("A connection could not be set back; its pool will notice", e);
        } finally {
            serializer.release();
            close(connection);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be closed", e);
        }
    }
}
