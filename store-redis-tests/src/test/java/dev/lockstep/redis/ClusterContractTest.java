package dev.lockstep.redis;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.LockStoreContract;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on a real Redis cluster; the second party has connections of its own. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class ClusterContractTest extends LockStoreContract {
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final String namespace = "contract-" + ProcessHandle.current().pid() + "-" + NAMESPACES.incrementAndGet();

    @Override
    protected LockStore createStore() {
        return store().createNamespace();
    }

    @Override
    protected LockStore secondStore(LockStore first) {
        return store();
    }

    private RedisLockStore store() {
        return RedisLockStore.cluster(TestServers.redisCluster().urls().toArray(String[]::new))
                .namespace(namespace)
                .answerWithin(Duration.ofSeconds(20));
    }
}
