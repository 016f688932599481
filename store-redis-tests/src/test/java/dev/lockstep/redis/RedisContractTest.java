package dev.lockstep.redis;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testkit.LockStoreContract;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on a real Redis; the second party has connections of its own. */
@UsesServer(ServerKind.REDIS)
@Execution(ExecutionMode.CONCURRENT)
class RedisContractTest extends LockStoreContract {
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

    TestServer server() {
        return TestServers.redis();
    }

    private RedisLockStore store() {
        return RedisLockStore.at(server().url())
                .namespace(namespace)
                .answerWithin(Duration.ofSeconds(20)); // a machine may stand still
    }
}
