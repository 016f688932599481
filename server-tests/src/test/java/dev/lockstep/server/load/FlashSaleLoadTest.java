package dev.lockstep.server.load;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.server.RunningServer;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.UsesServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A flash sale over HTTP from another process. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@UsesServer(ServerKind.POSTGRES)
class FlashSaleLoadTest {
    private static final StockKey HOT = new StockKey("HOT", "TOKYO");

    @Test
    void exactlyWhatIsThereIsSoldAndTheBooksBalance(TestDatabase database) throws Exception {
        int orders = Scale.pick(1_250, 50_000);
        int pieces = orders * 3 / 5;
        try (RunningServer server = RunningServer.with(properties(database));
                ChildJvm crowd = ChildJvm.start(Crowd.class)) {
            Inventory inventory = server.bean(Inventory.class);
            assertThat(inventory.receive(line("HOT", "TOKYO", pieces), "opening"))
                    .isInstanceOf(Received.class);

            String answers = crowd.ask("reserve " + server.url() + " HOT " + orders + " 200 r");

            assertThat(answers).isEqualTo("{reserve 201=%d, reserve 409=%d}".formatted(pieces, orders - pieces));
            assertThat(inventory.stock(HOT)).contains(new Stock(HOT, pieces, pieces, pieces + 1));
            List<Discrepancy> wrong = new ArrayList<>();
            inventory.reconcile(wrong::add);
            assertThat(wrong).isEmpty();
        }
    }

    static Map<String, Object> properties(TestDatabase database) {
        return Map.of(
                "spring.datasource.url", database.jdbcUrl(),
                "spring.datasource.username", database.user(),
                "spring.datasource.password", database.password(),
                "lockstep.server.limits.longest-wait", "10m",
                "lockstep.server.limits.longest-lease", "10m");
    }
}
