package dev.lockstep.inventory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Someone else's session, which holds the lock of a stock's row until it is closed. */
record RowLock(Connection connection) implements AutoCloseable {
    static RowLock on(DataSource dataSource, StockKey key) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        String sql = "SELECT * FROM inventory_location WHERE sku = ? AND location = ? FOR UPDATE";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, key.sku());
            statement.setString(2, key.location());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
            }
        }
        return new RowLock(connection);
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
