package dev.lockstep.inventory.books;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@UsesServer(ServerKind.MARIADB)
@Tag("once")
class MariadbIndexTest extends IndexContract {
    MariadbIndexTest() {
        super(ServerKind.MARIADB);
    }

    @Override
    long rowsRead(Connection connection) throws SQLException {
        return MysqlIndexTest.handlerReads(connection);
    }
}
