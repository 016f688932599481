package dev.lockstep.benchmarks.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.benchmarks.measure.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LeasesRunTest {
    @Test
    @Tag("slow")
    @Tag("long")
    void noLeaseIsLostThatNeedNotBe() throws InterruptedException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        new LeasesRun(5_000, 15, 1_000, new PrintStream(text, true, StandardCharsets.UTF_8)).run();
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("held for 15 s: 0 lost")
                .contains("groups dead for 40 s: 0 of the other leases lost")
                .contains("close() with 1,000 waiters of one key: all ended");
    }

    @Test
    void unknownWordIsRefused() {
        assertThatThrownBy(() -> LeasesRun.run(List.of("redis"))).isInstanceOf(UsageException.class);
    }
}
