package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;

@UsesServer(ServerKind.POSTGRES)
@Tag("once")
class PostgresIndexTest extends IndexContract {
    PostgresIndexTest() {
        super(ServerKind.POSTGRES);
    }

    @Override
    long rowsRead(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables")) {
            result.next();
            return result.getLong(1);
        }
    }
}
