package dev.lockstep.jdbc.sql;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an {@link SQLException} of MySQL, MariaDB or PostgreSQL means to a lock store. */
public enum SqlFault {
    /** A lock that was asked for without waiting is taken. */
    BUSY,
    /** The wait for a lock has lasted as long as it may, or the statement was cancelled. */
    WAIT_TIMEOUT,
    /** The server broke a cycle of waits. */
    DEADLOCK,
    /** The transaction's snapshot is older than what it wants to lock. */
    CONFLICT,
    /** The connection, or the transaction on it, is gone. */
    CONNECTION_LOST,
    /** The server or the pool has no connection left. */
    NO_CONNECTION,
    /** The server refuses the user, or what the user wants to do. */
    DENIED,
    /** A table isn't there. */
    MISSING_TABLE,
    /** The server takes no writes. */
    READ_ONLY,
    /** The server's lock table is full. */
    OUT_OF_LOCKS,
    /** Anything else. */
    OTHER;

    private static final Map<Integer, SqlFault> MYSQL_CODES = Map.ofEntries(
            Map.entry(3572, BUSY), // NOWAIT, MySQL
            Map.entry(1205, WAIT_TIMEOUT), // also NOWAIT on MariaDB
            Map.entry(3024, WAIT_TIMEOUT), // MAX_EXECUTION_TIME
            Map.entry(1969, WAIT_TIMEOUT), // max_statement_time
            Map.entry(1317, WAIT_TIMEOUT), // KILL QUERY
            Map.entry(1213, DEADLOCK),
            Map.entry(1020, CONFLICT), // innodb_snapshot_isolation, MariaDB
            Map.entry(1305, CONNECTION_LOST), // the savepoint is gone, and so is its transaction
            Map.entry(1243, CONNECTION_LOST), // the prepared statement is gone, and so is its session
            Map.entry(1053, CONNECTION_LOST), // shutdown in progress
            Map.entry(1927, CONNECTION_LOST), // killed, MariaDB
            Map.entry(3169, CONNECTION_LOST), // killed, MySQL
            Map.entry(4031, CONNECTION_LOST), // idle for too long, MySQL
            Map.entry(1040, NO_CONNECTION),
            Map.entry(1203, NO_CONNECTION),
            Map.entry(1226, NO_CONNECTION),
            Map.entry(1044, DENIED),
            Map.entry(1045, DENIED),
            Map.entry(1142, DENIED),
            Map.entry(1143, DENIED),
            Map.entry(1227, DENIED),
            Map.entry(1698, DENIED),
            Map.entry(1146, MISSING_TABLE),
            Map.entry(1290, READ_ONLY),
            Map.entry(1792, READ_ONLY),
            Map.entry(1836, READ_ONLY),
            Map.entry(1206, OUT_OF_LOCKS));

    private static final Map<String, SqlFault> STATES = Map.ofEntries(
            Map.entry("55P03", BUSY),
            Map.entry("57014", WAIT_TIMEOUT),
            Map.entry("40P01", DEADLOCK),
            Map.entry("40001", CONFLICT), // REPEATABLE READ and above
            Map.entry("57P01", CONNECTION_LOST), // terminated by an administrator
            Map.entry("57P02", CONNECTION_LOST),
            Map.entry("57P03", CONNECTION_LOST),
            Map.entry("57P05", CONNECTION_LOST), // idle_session_timeout
            Map.entry("25P02", CONNECTION_LOST), // the transaction had failed before
            Map.entry("25P03", CONNECTION_LOST), // idle_in_transaction_session_timeout
            Map.entry("25P04", CONNECTION_LOST), // transaction_timeout
            Map.entry("53300", NO_CONNECTION),
            Map.entry("28P01", DENIED),
            Map.entry("28000", DENIED),
            Map.entry("42501", DENIED),
            Map.entry("42P01", MISSING_TABLE),
            Map.entry("25006", READ_ONLY),
            Map.entry("53200", OUT_OF_LOCKS));

    /** What MySQL's driver throws for a statement that was cancelled by the client; it has no code. */
    private static final String MYSQL_CANCELLED = "MySQLStatementCancelledException";

    public static SqlFault of(SQLException error) {
        @Nullable SqlFault known = known(error);
        if (known != null) {
            return known;
        }
        String state = stateOf(error);
        if (String.valueOf(error.getMessage()).startsWith("No suitable driver")) {
            return OTHER; // no server was asked
        }
        if (error instanceof SQLTransientConnectionException && !state.startsWith("08")) {
            return NO_CONNECTION; // how pools say that they are exhausted
        }
        if (state.startsWith("08")
                || error instanceof SQLNonTransientConnectionException
                || error instanceof SQLRecoverableException) {
            return CONNECTION_LOST;
        }
        return error.getCause() instanceof SQLException cause && cause != error ? of(cause) : OTHER;
    }

    private static @Nullable SqlFault known(SQLException error) {
        if (error.getClass().getSimpleName().equals(MYSQL_CANCELLED)) {
            return WAIT_TIMEOUT;
        }
        @Nullable SqlFault byCode = MYSQL_CODES.get(error.getErrorCode());
        return byCode != null ? byCode : STATES.get(stateOf(error));
    }

    private static String stateOf(SQLException error) {
        return error.getSQLState() == null ? "" : error.getSQLState();
    }
}
