package dev.lockstep.inventory.books;

import dev.lockstep.inventory.sql.SqlVariant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables of H2. Both time limits are options of the session there, and the one for locks is 2 seconds by default. */
final class H2Tables extends RowTables {
    H2Tables() {
        super(SqlVariant.H2);
    }

    @Override
    Restore limit(PreparedStatement statement, int seconds) throws SQLException {
        if (seconds == 0) {
            return super.limit(statement, seconds);
        }
        Connection connection = statement.getConnection();
        int query = statement.getQueryTimeout();
        int lock = lockTimeout(connection);
        setLockTimeout(connection, Math.multiplyExact(seconds, 1_000));
        statement.setQueryTimeout(seconds);
        return () -> {
            statement.setQueryTimeout(query);
            setLockTimeout(connection, lock);
        };
    }

    private static int lockTimeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("CALL LOCK_TIMEOUT()")) {
            result.next();
            return result.getInt(1);
        }
    }

    private static void setLockTimeout(Connection connection, int millis) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCK_TIMEOUT " + millis);
        }
    }
}
