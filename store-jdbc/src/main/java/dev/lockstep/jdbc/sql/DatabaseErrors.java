package dev.lockstep.jdbc.sql;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import java.sql.SQLException;
import java.util.List;

/** Turns a database's errors into ours: what failed, why, and the way out. */
public final class DatabaseErrors {
    private DatabaseErrors() {}

    public static LockException of(SQLException error, String doing, List<LockKey> keys) {
        SqlFault fault = SqlFault.of(error);
        return new LockException(code(fault), doing + " failed: " + error.getMessage() + wayOut(fault), keys, error);
    }

    public static LockException of(SQLException error, String doing) {
        return of(error, doing, List.of());
    }

    private static ErrorCode code(SqlFault fault) {
        return switch (fault) {
            case DEADLOCK -> ErrorCode.DEADLOCK;
            case CONFLICT -> ErrorCode.CONFLICT;
            case BUSY, WAIT_TIMEOUT -> ErrorCode.TIMEOUT;
            case CONNECTION_LOST, NO_CONNECTION, READ_ONLY -> ErrorCode.STORE_UNAVAILABLE;
            case DENIED, MISSING_TABLE, OUT_OF_LOCKS, OTHER -> ErrorCode.STORE_FAILED;
        };
    }

    private static String wayOut(SqlFault fault) {
        return switch (fault) {
            case DEADLOCK ->
                ". The database broke a deadlock: roll back and try again, and take the locks in one call.";
            case CONFLICT ->
                ". Another transaction changed the row after this one began: roll back and run the transaction again.";
            case BUSY, WAIT_TIMEOUT -> ". Try again, or wait longer.";
            case CONNECTION_LOST -> ". Nothing of the request is held. Try again when the database can be reached.";
            case NO_CONNECTION ->
                ". A lease keeps one connection while it is held. Raise the server's max_connections or the pool's size,"
                        + " lower connections() of the store, or give the store its own DataSource.";
            case DENIED -> ". Grant the user what the doctor call of the store lists, or use another user.";
            case MISSING_TABLE ->
                ". Create the tables with the command 'lockstep provision' or with Provisioning, or let provisionIfMissing() do it.";
            case READ_ONLY -> ". Locks of a replica have no effect on the primary: connect to the primary.";
            case OUT_OF_LOCKS ->
                ". The server's lock table is full: raise max_locks_per_transaction (PostgreSQL) or innodb_buffer_pool_size"
                        + " (MySQL, MariaDB), or lock a common parent instead of many things.";
            case OTHER -> ".";
        };
    }
}
