package dev.lockstep.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RedisRunTest {
    @Test
    void everythingIsMeasuredUnlessPartsAreNamed() {
        assertThat(RedisRun.parse(List.of()).parts()).containsExactly(RedisPart.values());
        RedisRun run = RedisRun.parse(List.of("fairness", "--seconds", "2", "trips", "always"));
        assertThat(run.parts()).containsExactly(RedisPart.TRIPS, RedisPart.FAIRNESS);
        assertThat(run.turn()).isEqualTo(Duration.ofSeconds(2));
        assertThat(run.fsync()).isEqualTo(RedisRun.Fsync.ALWAYS);
    }

    @Test
    void whatIsUnknownOrTooMuchIsRefused() {
        assertThatThrownBy(() -> RedisRun.parse(List.of("speeed")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'speeed'. Known: trips, speed, handoff, fairness");
        assertThatThrownBy(() -> RedisRun.parse(List.of("--processes", "1000")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--processes is at most 20, and got 1000");
        assertThatThrownBy(() -> RedisRun.parse(List.of("--fast", "1"))).hasMessageContaining("unknown flag '--fast'");
    }

    @Test
    @Tag("long")
    void everyoneLocksAndFreesOnARealServer() throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        RedisRun run = new RedisRun(
                RedisRun.parse(List.of()).parts(), RedisRun.Fsync.EVERYSEC, Duration.ofMillis(400), 1, 2, 2);
        List<Comparison> comparisons = run.run(new PrintStream(text, true, StandardCharsets.UTF_8));
        assertThat(comparisons).hasSize(6).allSatisfy(each -> {
            assertThat(each.ours().median()).isPositive();
            assertThat(each.theirs().median()).isPositive();
        });
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("## Redis 6.2", "appendfsync = everysec", "redisson-4.3.1 with its defaults")
                .containsPattern("\\| Lockstep, 3 levels +\\| +2\\.0\\d+ \\| +2 \\|")
                .contains("| waits of the hand-off, ms |")
                .contains("One key, 2 processes, 2 waiters each", "| Redisson FairLock |");
    }
}
