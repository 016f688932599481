package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose nodes all accept writes is refused. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class SinglePrimaryTest {
    private static final String REFUSED = "Several nodes of this database accept writes (wsrep_on is ON)";

    @Test
    void aGaleraClusterIsRefused() {
        try (PrivateServer server = TestServers.startMariadb("--wsrep-on=ON", "--binlog-format=ROW");
                HikariDataSource pool = TestPool.to(server.jdbcUrl(), server.user(), server.password());
                Inventory inventory = TestShop.patient(pool).build()) {
            assertThat(inventory.receive(StockLine.line("SHIRT", "TOKYO", 1), "in"))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.cause()).hasMessageStartingWith(REFUSED));
            assertThatThrownBy(() -> inventory.stock("SHIRT"))
                    .isInstanceOf(LockException.class)
                    .hasMessageStartingWith(REFUSED);
        }
    }
}
