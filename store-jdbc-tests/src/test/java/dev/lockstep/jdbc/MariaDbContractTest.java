package dev.lockstep.jdbc;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.LockStoreContract;
import dev.lockstep.testservers.ServerKind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("slow")
@Tag("once") // its code is that of MySQL; what differs is the server
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("the contract on MariaDB")
class MariaDbContractTest extends LockStoreContract {
    @RegisterExtension
    static final ReusedDatabases DATABASES = new ReusedDatabases(ServerKind.MARIADB);

    @Override
    protected LockStore createStore() {
        return RowLockStore.mariadb(Databases.of(DATABASES.of(this)))
                .buckets(10_007)
                .provisionIfMissing();
    }

    @Override
    protected LockStore secondStore(LockStore first) {
        return createStore();
    }
}
