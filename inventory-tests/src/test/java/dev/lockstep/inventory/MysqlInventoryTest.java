package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

/** The contract on MySQL. */
@Tag("once")
@UsesServer(ServerKind.MYSQL)
class MysqlInventoryTest extends InventoryContract {
    @Override
    TestShop openShop() throws SQLException {
        return TestShop.on(ServerKind.MYSQL);
    }
}
