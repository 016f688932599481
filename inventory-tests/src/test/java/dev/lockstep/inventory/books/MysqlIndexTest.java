package dev.lockstep.inventory.books;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;

@UsesServer(ServerKind.MYSQL)
@Tag("once")
class MysqlIndexTest extends IndexContract {
    MysqlIndexTest() {
        super(ServerKind.MYSQL);
    }

    @Override
    long rowsRead(Connection connection) throws SQLException {
        return handlerReads(connection);
    }

    static long handlerReads(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
            long sum = 0;
            while (result.next()) {
                sum += result.getLong(2);
            }
            return sum;
        }
    }
}
