package dev.lockstep.redis;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.ClusterContract;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Permits, leadership and tasks once per cluster on a real Redis. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
class RedisClusterContractTest extends ClusterContract {
    private final Realm realm = Realm.on(TestServers.redis(), Duration.ofSeconds(60), Duration.ofSeconds(10));

    @Override
    protected LockStore createStore() {
        return realm.store().createNamespace();
    }

    @Override
    protected LockStore secondStore() {
        return realm.store();
    }
}
