package dev.lockstep.jdbc;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.ClusterContract;
import dev.lockstep.testservers.TestServers;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("permits, leadership and tasks once per cluster on PostgreSQL")
class PostgresClusterContractTest extends ClusterContract {
    private final String namespace = UUID.randomUUID().toString();

    @Override
    protected LockStore createStore() {
        return AdvisoryLockStore.postgresql(Databases.of(TestServers.postgres()))
                .namespace(namespace)
                .connections(40);
    }

    @Override
    protected LockStore secondStore() {
        return createStore();
    }
}
