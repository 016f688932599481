package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concurrent histories on MariaDB. */
@Tag("once")
@UsesServer(ServerKind.MARIADB)
class MariadbHistoryTest extends HistoryContract {
    @Override
    TestShop openShop() throws SQLException {
        return TestShop.on(ServerKind.MARIADB);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMBINING", "GROUP_COMMIT", "ADAPTIVE"})
    void everythingIsDoneOnce(Strategy strategy) throws SQLException {
        play(strategy);
    }
}
