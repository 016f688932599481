package dev.lockstep.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.benchmarks.measure.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ServerRunTest {
    @Test
    void allPartsUnlessSomeAreNamed() {
        assertThat(ServerRun.parse(List.of()).parts()).containsExactly(ServerPart.values());
        ServerRun some = ServerRun.parse(List.of("stock", "--connections", "8", "--rounds", "3"));
        assertThat(some.parts()).containsExactly(ServerPart.STOCK);
        assertThat(some.connections()).isEqualTo(8);
        assertThat(some.rounds()).isEqualTo(3);
    }

    @Test
    void whatIsUnknownOrTooMuchIsRefused() {
        assertThatThrownBy(() -> ServerRun.parse(List.of("page")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("unknown part 'page'. Known: start, locks, stock");
        assertThatThrownBy(() -> ServerRun.parse(List.of("--connections", "100000")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--connections is at most 2000");
    }

    @Test
    @Tag("long")
    void everythingRunsOnARealServer() throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ServerRun run = new ServerRun(Set.of(ServerPart.values()), 8, Duration.ofSeconds(1), Duration.ofMillis(500), 1);
        run.run(new PrintStream(text, true, StandardCharsets.UTF_8));
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("start-up to the first answer: ")
                .contains("| constant handler ", "| lock or unlock in memory ", "| reservation on PostgreSQL ")
                .contains("pairs of lock and unlock: ", "reservations of one SKU: ");
    }
}
