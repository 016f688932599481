package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Describes why no connection could be opened. */
public final class UnreachableDatabase {
    private UnreachableDatabase() {}

    public static Finding finding(Exception error) {
        @Nullable SQLException sql = sqlCause(error);
        SqlFault fault = sql == null ? SqlFault.OTHER : SqlFault.of(sql);
        return Finding.error(
                "No connection to the database: " + Finding.reason(sql == null ? error : sql), wayOut(fault));
    }

    private static String wayOut(SqlFault fault) {
        return switch (fault) {
            case NO_CONNECTION ->
                "The pool or the server has none left: raise the pool's size or the server's max_connections, give the store its"
                        + " own DataSource, or look for connections that are never closed.";
            case DENIED -> "Check the user and the password, and which hosts and databases the server lets them use.";
            case CONNECTION_LOST -> "Check that the server runs, and that host, port and network lead to it.";
            default -> "Check the settings of the DataSource, the name of the database first.";
        };
    }

    /** Pools wrap what the driver said. */
    private static @Nullable SQLException sqlCause(@Nullable Throwable error) {
        for (@Nullable Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
