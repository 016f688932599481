package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

/** The contract on PostgreSQL. */
@Tag("once")
@UsesServer(ServerKind.POSTGRES)
class PostgresInventoryTest extends InventoryContract {
    @Override
    TestShop openShop() throws SQLException {
        return TestShop.on(ServerKind.POSTGRES);
    }
}
