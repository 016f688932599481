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
    private static final Duration TERM = Duration.ofMinutes(10);

    /** A lease that is held for longer than 50 ms gets a label. */
    private static final Duration A_MOMENT = Duration.ofMillis(40);

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
                        .defaultWait(Duration.ofMinutes(1))
                        .build()) {
            for (int i = 0; i < 10; i++) { // until the driver has prepared the statement on the server
                locks.acquire(SET).close();
            }
            int quick = 0;
            for (int i = 0; i < HOLDS; i++) {
                quick += isQuick(locks, proxy) ? 1 : 0;
            }
            assertThat(quick).isPositive();
        }
    }

    /** One hold. Where it was so slow that the store said on the server who holds, or opened another connection, nothing is counted. */
    private static boolean isQuick(Locks locks, TcpProxy proxy) {
        long connections = proxy.accepted();
        long before = proxy.roundTrips();
        long start = System.nanoTime();
        locks.acquire(SET).close();
        boolean quick = System.nanoTime() - start < A_MOMENT.toNanos() && proxy.accepted() == connections;
        if (quick) {
            assertThat(proxy.roundTrips() - before).isEqualTo(2);
        }
        return quick;
    }
}
