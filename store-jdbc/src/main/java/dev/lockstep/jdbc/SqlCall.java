package dev.lockstep.jdbc;

import java.sql.SQLException;

/** Something to do on a connection. */
@FunctionalInterface
interface SqlCall<T> {
    T run() throws SQLException;
}
