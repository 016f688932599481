package dev.lockstep.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of the user's {@link DataSource}. It goes back in the state in which it came, without an open transaction: not every pool
 * resets the connections that it gets back, and the application's next statement may run on this one.
 */
public final class BorrowedConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BorrowedConnection.class);

    private final Connection connection;
    private final boolean autoCommit;
    private final int isolation;
    private final int networkTimeout;

    private BorrowedConnection(Connection connection) throws SQLException {
        this.connection = connection;
        autoCommit = connection.getAutoCommit();
        isolation = connection.getTransactionIsolation();
        networkTimeout = connection.getNetworkTimeout();
    }

    public static BorrowedConnection from(DataSource dataSource) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            return new BorrowedConnection(connection);
        } catch (SQLException | RuntimeException | Error e) {
            try (connection) {
                throw e;
            }
        }
    }

    public Connection connection() {
        return connection;
    }

    /** Prepares it for transactions in READ COMMITTED, or for statements that each are one. */
    public BorrowedConnection readCommitted(boolean autoCommit) throws SQLException {
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        connection.setAutoCommit(autoCommit);
        return this;
    }

    public BorrowedConnection networkTimeout(Duration limit) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) Math.min(limit.toMillis(), Integer.MAX_VALUE));
        return this;
    }

    /** Restores the state in which it was borrowed, and closes it. */
    public void restoreAndClose() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        connection.setAutoCommit(autoCommit);
        if (connection.getTransactionIsolation() != isolation) {
            connection.setTransactionIsolation(isolation);
        }
        if (!autoCommit) {
            connection.rollback(); // some drivers ask the server for the isolation, in a transaction
        }
        connection.setNetworkTimeout(Runnable::run, networkTimeout);
        connection.close();
    }

    /** Drops the connection, so that the server ends the transaction; the pool closes it instead of reusing it. */
    public void abort() {
        abort(connection);
    }

    public static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // it may be closed already
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // nothing more can be done for it
        }
    }

    /** Restores the state in which it was borrowed and closes it, or aborts it if that fails. */
    @Override
    public void close() {
        try {
            restoreAndClose();
        } catch (SQLException | RuntimeException e) {
            LOG.warn("A connection could not be restored to the state in which it was borrowed, so it was closed", e);
            abort();
        }
    }
}
