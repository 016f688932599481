package dev.lockstep.benchmarks.redis;

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

class ClusterRunTest {
    @Test
    void bothPartsAreMeasuredUnlessOneIsNamed() {
        assertThat(ClusterRun.parse(List.of()).parts()).containsOnly("permits", "leadership");
        assertThat(ClusterRun.parse(List.of("permits", "--rounds", "2")).parts())
                .containsOnly("permits");
        assertThatThrownBy(() -> ClusterRun.parse(List.of("permit")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("Known: leadership, permits");
    }

    @Test
    @Tag("long")
    void bothPartsRunOnARealServer() throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        ClusterRun run = new ClusterRun(Set.of("permits", "leadership"), Duration.ofMillis(300), 1, 3);
        assertThat(run.run(new PrintStream(text, true, StandardCharsets.UTF_8)))
                .hasSize(4)
                .allSatisfy(each -> assertThat(each.ours().median()).isPositive());
        assertThat(text.toString(StandardCharsets.UTF_8)).contains("3 elections");
    }
}
