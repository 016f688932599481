package dev.lockstep.benchmarks.databases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.LockServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class DatabaseRunTest {
    @Test
    void everyoneLocksAndFreesOnARealServer() throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        List<Comparison> comparisons = new DatabaseRun(LockServer.POSTGRESQL, Duration.ofMillis(200), 1, out).run();
        assertThat(comparisons).hasSize(7).allSatisfy(each -> {
            assertThat(each.ours().median()).isPositive();
            assertThat(each.theirs().median()).isPositive();
        });
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("## PostgreSQL", "| what ", "Round trips per hold, counted by a proxy: 2.000 (asked: 2)");
    }
}
