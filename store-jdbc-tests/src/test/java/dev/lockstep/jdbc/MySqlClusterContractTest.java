package dev.lockstep.jdbc;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.ClusterContract;
import dev.lockstep.testservers.ServerKind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("permits, leadership and tasks once per cluster on MySQL")
class MySqlClusterContractTest extends ClusterContract {
    @RegisterExtension
    static final ReusedDatabases DATABASES = new ReusedDatabases(ServerKind.MYSQL);

    /** With so few rows some permits share one, unless each is given its own. */
    @Override
    protected LockStore createStore() {
        return RowLockStore.mysql(Databases.of(DATABASES.of(this)))
                .buckets(101)
                .connections(40)
                .provisionIfMissing();
    }

    @Override
    protected LockStore secondStore() {
        return createStore();
    }
}
