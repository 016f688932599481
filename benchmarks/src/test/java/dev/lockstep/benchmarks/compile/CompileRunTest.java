package dev.lockstep.benchmarks.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompileRunTest {
    @Test
    void theSourcesCompileBothWaysAndTheRatioIsPrinted() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        double ratio = new CompileRun(0, 1, out).run(Path.of(".."), List.of("store-redis"));
        assertThat(ratio).isPositive();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("without the check")
                .contains("ratio ");
    }
}
