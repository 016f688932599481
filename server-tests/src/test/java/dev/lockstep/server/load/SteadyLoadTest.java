package dev.lockstep.server.load;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockFigures;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.server.RunningServer;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.UsesServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten minutes of sales and locks: what the server keeps doesn't grow. */
@Tag("long")
@Tag("once")
@Timeout(1_200)
@UsesServer(ServerKind.POSTGRES)
class SteadyLoadTest {
    private static final long SPARE_BYTES = 24L << 20;

    private int round;

    @Test
    void memoryStaysFlat(TestDatabase database) throws Exception {
        try (RunningServer server = RunningServer.with(FlashSaleLoadTest.properties(database));
                ChildJvm crowd = ChildJvm.start(Crowd.class)) {
            work(server, crowd, Duration.ofMinutes(2));
            long early = heapAfterCollection();
            work(server, crowd, Duration.ofMinutes(8));
            assertThat(heapAfterCollection()).isLessThan(early + SPARE_BYTES);
            assertThat(server.bean(Locks.class).figures()).isEqualTo(new LockFigures(0, 0));
            List<Discrepancy> wrong = new ArrayList<>();
            server.bean(Inventory.class).reconcile(wrong::add);
            assertThat(wrong).isEmpty();
        }
    }

    private void work(RunningServer server, ChildJvm crowd, Duration time) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        while (end - System.nanoTime() > 0) {
            String sku = "SKU-" + round % 20;
            assertThat(server.bean(Inventory.class).receive(line(sku, "TOKYO", 1_000), "opening-" + round))
                    .isInstanceOf(Received.class);
            assertThat(crowd.ask("reserve " + server.url() + " " + sku + " 1000 100 r" + round + "-"))
                    .isEqualTo("{reserve 201=1000}");
            assertThat(crowd.ask("take " + server.url() + " gate:g" + round + " 100"))
                    .isEqualTo("{give back 204=100, take 201=100}");
            round++;
        }
    }

    private static long heapAfterCollection() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
