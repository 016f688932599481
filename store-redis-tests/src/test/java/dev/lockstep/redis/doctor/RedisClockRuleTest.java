package dev.lockstep.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How readings of a server's clock are judged. */
class RedisClockRuleTest {
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    private static final long START = Long.MAX_VALUE - 1_000_000; // shortly before the overflow

    /** Asked some milliseconds after the start; the server's clock is off by some. */
    private static ServerTime reading(long askedMillis, long tookMillis, long offMillis) {
        Instant asked = NOW.plusMillis(askedMillis);
        long nanos = START + askedMillis * 1_000_000;
        return new ServerTime(
                asked,
                asked.plusMillis(tookMillis / 2 + offMillis),
                asked.plusMillis(tookMillis),
                nanos,
                nanos + tookMillis * 1_000_000);
    }

    private static List<Finding> troubles(ServerTime... readings) {
        return RedisClockRule.judge(List.of(readings)).stream()
                .filter(finding -> finding.severity() != Severity.OK)
                .toList();
    }

    @Test
    void clocksThatAgreeAreInOrder() {
        assertThat(troubles(reading(0, 2, 0), reading(2, 4, 1), reading(6, 2, 0)))
                .isEmpty();
    }

    @Test
    void aClockThatIsOffByMoreThanASecondIsAWarningThatLocksDoNotDependOnIt() {
        assertThat(troubles(reading(0, 2, 900), reading(2, 2, 900))).isEmpty();
        assertThat(troubles(reading(0, 2, -3_001), reading(2, 2, -3_001)))
                .singleElement()
                .matches(finding -> finding.toString().contains("3000 ms behind"))
                .matches(finding -> finding.whatToDo().contains("Locks don't depend on it"));
    }

    @Test
    void theReadingThatTookLeastCounts() {
        assertThat(troubles(reading(0, 40, 1_010), reading(40, 2, 1_010)))
                .singleElement()
                .matches(finding -> finding.what().contains("1009 ms ahead of"));
    }

    @Test
    void aClockThatJumpsEitherWayIsAWarning() {
        assertThat(troubles(reading(0, 2, 0), reading(10, 2, 500)))
                .singleElement()
                .matches(finding -> finding.what().contains("was set while it was looked at"));
        assertThat(troubles(reading(0, 2, 500), reading(10, 2, 0))).hasSize(1);
    }

    @Test
    void aLongRoundTripIsAWarningUnlessItIsAnException() {
        assertThat(troubles(reading(0, 60, 0), reading(60, 70, 0), reading(130, 2, 0)))
                .singleElement()
                .matches(finding -> finding.what().contains("60 ms"));
        assertThat(troubles(reading(0, 900, 0), reading(900, 2, 0), reading(902, 2, 0)))
                .isEmpty();
    }
}
