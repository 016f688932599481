package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
@Timeout(300)
class TransactionPoolerTest {
    private static final LockRequest USER =
            LockRequest.exclusive(Tenancy.user("u1")).within(Duration.ofSeconds(20));

    @Test
    void aStoreWhoseConnectionsShareAServerSessionIsRefused() throws Exception {
        assertRefused(Server.POSTGRES, false);
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatSwitchesToAnotherServerSessionGrantsNoLease(Server server) throws Exception {
        assertRefused(server, true);
    }

    private static void assertRefused(Server server, boolean roundRobin) throws Exception {
        try (LockDatabase database = LockDatabase.on(server);
                TransactionPooler pooler = new TransactionPooler(database.dataSource(), 3, roundRobin);
                Locks locks = Locks.on(database.store(pooler))) {
            assertThatThrownBy(() -> locks.acquire(USER))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("session mode");
            try (Locks direct = database.patientLocks()) {
                assertThat(direct.acquire(USER).release()).isNotNull();
            }
        }
    }
}
