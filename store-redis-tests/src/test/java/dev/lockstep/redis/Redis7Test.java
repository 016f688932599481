package dev.lockstep.redis;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract, and what faults must not break, on Redis 7. All other tests run on Redis 6.2. */
class Redis7Test {
    @Nested
    @UsesServer(ServerKind.REDIS_7)
    @Tag("once")
    class Contract extends RedisContractTest {
        @Override
        TestServer server() {
            return TestServers.shared(ServerKind.REDIS_7);
        }
    }

    @Nested
    @UsesServer(ServerKind.REDIS_7)
    class ForgottenLeases extends AmnesiaTest {
        @Override
        ServerKind kind() {
            return ServerKind.REDIS_7;
        }
    }

    @Nested
    @UsesServer(ServerKind.REDIS_7)
    class FullServer extends FullServerTest {}

    @Nested
    @UsesServer(ServerKind.REDIS_7)
    @Tag("long")
    class ServerFaults extends ServerFaultTest {}
}
