package dev.lockstep.inventory;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concurrent histories on H2. */
@Tag("once")
class H2HistoryTest extends HistoryContract {
    @Override
    TestShop openShop() {
        return TestShop.onH2();
    }

    @ParameterizedTest
    @EnumSource
    void everythingIsDoneOnce(Strategy strategy) throws SQLException {
        play(strategy);
    }
}
