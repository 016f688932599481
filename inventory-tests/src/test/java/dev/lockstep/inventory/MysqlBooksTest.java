package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@UsesServer(ServerKind.MYSQL)
@Tag("once")
class MysqlBooksTest extends BooksOfShop {
    @Override
    TestShop openShop() throws SQLException {
        return TestShop.on(ServerKind.MYSQL);
    }
}
