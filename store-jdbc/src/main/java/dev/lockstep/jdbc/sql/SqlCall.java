package dev.lockstep.jdbc.sql;

import java.sql.SQLException;

/** Something to do on a connection. */
@FunctionalInterface
public interface SqlCall<T> {
    T run() throws SQLException;
}
