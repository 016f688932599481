package dev.lockstep.inventory.sql;

import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an {@link SQLException} means to a command. */
public enum Fault {
    /** Another transaction was faster, or the server resolved a deadlock: the transaction can be run again. */
    CONFLICT,
    /** There is such a row already: mostly a request that was done before. */
    DUPLICATE,
    /** The thread was interrupted while it waited for a connection. */
    INTERRUPTED,
    /** A lock was not had in time. */
    TIMEOUT,
    /** The connection is gone, or none was available. */
    CONNECTION,
    /** The server is read-only: mostly the former primary after a failover. */
    READ_ONLY,
    /** A guard of the tables refused a row. */
    GUARD,
    /** A table isn't there, or is of an older version. */
    MISSING_TABLE,
    /** The user may not do this. */
    FORBIDDEN,
    /** Anything else. */
    OTHER;

    private static final Map<Integer, Fault> MYSQL_CODES = Map.ofEntries(
            Map.entry(1213, CONFLICT), // deadlock
            Map.entry(1020, CONFLICT), // innodb_snapshot_isolation, MariaDB
            Map.entry(1062, DUPLICATE),
            Map.entry(1205, TIMEOUT),
            Map.entry(1969, TIMEOUT), // max_statement_time, MariaDB
            Map.entry(3024, TIMEOUT),
            Map.entry(1317, TIMEOUT), // KILL QUERY
            Map.entry(3819, GUARD),
            Map.entry(4025, GUARD), // MariaDB
            Map.entry(1146, MISSING_TABLE),
            Map.entry(1054, MISSING_TABLE), // a column, in tables of an older version
            Map.entry(1044, FORBIDDEN),
            Map.entry(1142, FORBIDDEN),
            Map.entry(1290, READ_ONLY),
            Map.entry(1792, READ_ONLY),
            Map.entry(1836, READ_ONLY),
            Map.entry(1053, CONNECTION), // shutdown in progress
            Map.entry(1927, CONNECTION), // killed
            Map.entry(3169, CONNECTION),
            Map.entry(1040, CONNECTION));

    private static final Map<String, Fault> STATES = Map.ofEntries(
            Map.entry("40P01", CONFLICT),
            Map.entry("40001", CONFLICT),
            Map.entry("23505", DUPLICATE),
            Map.entry("55P03", TIMEOUT),
            Map.entry("57014", TIMEOUT),
            Map.entry("HYT00", TIMEOUT), // H2
            Map.entry("23514", GUARD),
            Map.entry("23513", GUARD), // H2
            Map.entry("42P01", MISSING_TABLE),
            Map.entry("42703", MISSING_TABLE), // a column
            Map.entry("42S22", MISSING_TABLE), // a column
            Map.entry("42S02", MISSING_TABLE),
            Map.entry("42S04", MISSING_TABLE), // H2
            Map.entry("42501", FORBIDDEN),
            Map.entry("90040", FORBIDDEN), // H2, for admins only
            Map.entry("90096", FORBIDDEN), // H2
            Map.entry("25006", READ_ONLY),
            Map.entry("90097", READ_ONLY), // H2
            Map.entry("53300", CONNECTION),
            Map.entry("57P01", CONNECTION),
            Map.entry("57P02", CONNECTION),
            Map.entry("57P03", CONNECTION),
            Map.entry("90067", CONNECTION), // H2
            Map.entry("90098", CONNECTION)); // H2, closed

    public static Fault of(SQLException error) {
        if (error.getCause() instanceof InterruptedException) {
            return INTERRUPTED;
        }
        @Nullable Fault known = MYSQL_CODES.get(error.getErrorCode());
        String state = error.getSQLState() == null ? "" : error.getSQLState();
        if (known == null) {
            known = STATES.get(state);
        }
        if (known != null) {
            return known;
        }
        if (error instanceof SQLTimeoutException) {
            return TIMEOUT;
        }
        if (state.startsWith("08")
                || error instanceof SQLNonTransientConnectionException
                || error instanceof SQLTransientConnectionException
                || error instanceof SQLRecoverableException) {
            return CONNECTION;
        }
        if (error instanceof SQLIntegrityConstraintViolationException) {
            return GUARD;
        }
        return error.getCause() instanceof SQLException cause && cause != error ? of(cause) : OTHER;
    }
}
