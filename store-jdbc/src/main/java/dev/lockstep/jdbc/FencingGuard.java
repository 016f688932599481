package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.jdbc.fencing.Fence;
import dev.lockstep.jdbc.fencing.FenceTable;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Refuses, in the caller's own transaction, a write by a holder that was overtaken: one whose fencing token is lower than one that
 * was already seen for the same thing.
 *
 * <pre>{@code
 * FencingGuard.on(connection).check("job", jobId, lease);
 * // … the write to that job, on the same connection …
 * connection.commit();
 * }</pre>
 *
 * <p>One check is one statement. It locks the thing's row in the table {@code lockstep_fences} until the transaction ends, so two
 * transactions that write the same thing come one after the other, and the second is judged by what the first left. A
 * transaction that checks several things should do so in one order everywhere, or the database may have to break a deadlock. A
 * check by a token equal to the one seen is accepted: a lease may write as often as it likes.
 *
 * <p>The table has a row for each thing that was ever checked. Rows whose {@code seen_at} is longer ago than any lease, with all that its
 * holder may still do after it was lost, can be deleted.
 *
 * <p>Not for use by two threads at once, because its connection isn't.
 */
public final class FencingGuard {
    private final Connection connection;

    private FencingGuard(Connection connection) {
        this.connection = connection;
    }

    /** A guard for writes on this connection to MySQL, MariaDB or PostgreSQL, which must not be in autocommit mode. */
    public static FencingGuard on(Connection connection) {
        return new FencingGuard(connection);
    }

    /** The statement that creates the table of the guard, for MySQL, MariaDB or PostgreSQL. */
    public static String tableSql(String product) {
        return FenceTable.of(product).create;
    }

    /**
     * Creates the table of the guard unless it is there. The connection must be in autocommit mode, because MySQL and MariaDB commit
     * an open transaction before they create a table.
     */
    public static void createTable(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                throw new InvalidRequestException(
                        "The connection has a transaction, which creating a table would commit on"
                                + " MySQL and MariaDB. Give createTable a connection in autocommit mode.");
            }
            Queries.createTable(connection, FenceTable.of(connection).create);
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Creating the table " + FenceTable.NAME);
        }
    }

    /**
     * Checks that the lease is still held and that no later token was seen for this thing, and remembers the lease's token.
     *
     * @throws StaleTokenException when a later one was seen; roll back
     * @throws dev.lockstep.core.LeaseLostException when the lease isn't held any more; roll back
     */
    public void check(String kind, String id, Lease lease) {
        lease.ensureHeld();
        check(new Fence(kind, id, lease.token()), lease.keys());
    }

    /**
     * Checks that no later token was seen for this thing, and remembers this one.
     *
     * @throws StaleTokenException when a later one was seen; roll back
     */
    public void check(String kind, String id, FencingToken token) {
        check(new Fence(kind, id, token), List.of());
    }

    private void check(Fence fence, List<LockKey> keys) {
        FenceTable table = openTransaction(fence);
        try {
            if (!table.raise(connection, fence)) {
                throw refusal(table, fence, keys);
            }
        } catch (SQLException e) {
            throw failure(table, fence, keys, e);
        }
    }

    /** Which database it is. No driver asks the server for this or for the autocommit mode. */
    private FenceTable openTransaction(Fence fence) {
        try {
            if (connection.getAutoCommit()) {
                throw new InvalidRequestException(
                        "The connection is in autocommit mode, so the check of " + fence.thing()
                                + " and the write would be two transactions, and another holder could come between them."
                                + " Call setAutoCommit(false) or begin a transaction, then check, write and commit.");
            }
            return FenceTable.of(connection);
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Checking the fence of " + fence.thing());
        }
    }

    private StaleTokenException refusal(FenceTable table, Fence fence, List<LockKey> keys) {
        try {
            return new StaleTokenException(fence, table.seen(connection, fence), keys);
        } catch (SQLException e) {
            StaleTokenException refusal = new StaleTokenException(fence, Optional.empty(), keys);
            refusal.addSuppressed(e);
            return refusal;
        }
    }

    private static LockException failure(FenceTable table, Fence fence, List<LockKey> keys, SQLException e) {
        if (SqlFault.of(e) == SqlFault.MISSING_TABLE) {
            return new LockException(
                    ErrorCode.STORE_FAILED,
                    "The fence of " + fence.thing() + " can't be checked, because there is no table " + FenceTable.NAME
                            + ". Create it with FencingGuard.createTable(connection) or with:\n" + table.create,
                    keys,
                    e);
        }
        return DatabaseErrors.of(e, "Checking the fence of " + fence.thing(), keys);
    }
}
