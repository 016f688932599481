package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@UsesServer(ServerKind.POSTGRES)
@Tag("once")
class PostgresBooksTest extends BooksOfShop {
    @Override
    TestShop openShop() throws SQLException {
        return TestShop.on(ServerKind.POSTGRES);
    }
}
