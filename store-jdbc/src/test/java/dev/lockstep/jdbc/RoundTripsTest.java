package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a hold costs on the network. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class RoundTripsTest {
    private static final int HOLDS = 100;

    /** So long that nothing is renewed meanwhile. */
    private static final Duration TERM = Duration.ofMinutes(1);

    private static final LockRequest SET = LockRequest.exclusive(
                    Tenancy.resource("u1", "a1", "r1"), Tenancy.resource("u2", "a2", "r2"))
            .andShared(Tenancy.resource("u3", "a3", "r3"));

    @ParameterizedTest
    @EnumSource
    void aHoldOfAWholeSetTakesTwoRoundTrips(Server server) throws SQLException {
        try (LockDatabase database = LockDatabase.on(server);
                TcpProxy proxy = TcpProxy.to(TestServers.shared(server.kind()));
                Locks locks = Locks.builder(database.store(database.dataSource(proxy)))
                        .defaultTerm(TERM)
                        .build()) {
            hold(10, locks); // also until the driver has prepared the statement on the server
            long before = proxy.roundTrips();
            hold(HOLDS, locks);
            assertThat(proxy.roundTrips() - before).isEqualTo(2 * HOLDS);
        }
    }

    private static void hold(int times, Locks locks) {
        for (int i = 0; i < times; i++) {
            locks.acquire(SET).close();
        }
    }
}
