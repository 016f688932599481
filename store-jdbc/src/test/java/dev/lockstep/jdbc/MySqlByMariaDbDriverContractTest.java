package dev.lockstep.jdbc;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.LockStoreContract;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("long")
@Tag("once") // its subject is the driver
@DisplayName("the contract on MySQL, by MariaDB's driver")
class MySqlByMariaDbDriverContractTest extends LockStoreContract {
    private static TestDatabase database;

    @BeforeAll
    static void createDatabase() throws SQLException {
        database = TestServers.mysql().freshDatabase();
    }

    @AfterAll
    static void dropDatabase() throws SQLException {
        database.close();
    }

    @Override
    protected LockStore createStore() {
        return RowLockStore.mysql(Databases.ofMariaDbDriver(database))
                .buckets(10_007)
                .provisionIfMissing();
    }

    @Override
    protected LockStore secondStore(LockStore first) {
        return createStore();
    }
}
