package dev.lockstep.inventory;

import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import org.junit.jupiter.api.Tag;

@Tag("slow")
@Tag("once")
final class DatabaseFaultsOnPostgresTest extends DatabaseFaults {
    @Override
    PrivateServer start() {
        return TestServers.startPostgres();
    }
}
