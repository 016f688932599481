package dev.lockstep.jdbc;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.LockStoreContract;
import dev.lockstep.testservers.TestServers;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("the contract on PostgreSQL")
class PostgresContractTest extends LockStoreContract {
    private final String namespace = UUID.randomUUID().toString();

    @Override
    protected LockStore createStore() {
        return AdvisoryLockStore.postgresql(Databases.of(TestServers.postgres()))
                .namespace(namespace);
    }

    @Override
    protected LockStore secondStore(LockStore first) {
        return createStore();
    }
}
