package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

/** The contract on MariaDB. */
@Tag("once")
@UsesServer(ServerKind.MARIADB)
class MariadbInventoryTest extends InventoryContract {
    @Override
    TestShop openShop() throws SQLException {
        return TestShop.on(ServerKind.MARIADB);
    }
}
