package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concurrent histories on PostgreSQL. */
@Tag("once")
@UsesServer(ServerKind.POSTGRES)
class PostgresHistoryTest extends HistoryContract {
    @Override
    TestShop openShop() throws SQLException {
        return TestShop.on(ServerKind.POSTGRES);
    }

    @ParameterizedTest
    @EnumSource
    void everythingIsDoneOnce(Strategy strategy) throws SQLException {
        play(strategy);
    }
}
