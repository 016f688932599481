package dev.lockstep.jdbc.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Finding.Severity;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How clocks and numbers of connections are judged. */
class DoctorJudgementTest {
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    @Test
    void clocksAgreeWithinASecondAndWithinTheTimeOfTheQuestion() {
        assertThat(ClockCheck.judge(NOW, NOW, NOW).severity()).isEqualTo(Severity.OK);
        assertThat(ClockCheck.judge(NOW, NOW.minusMillis(999), NOW).severity()).isEqualTo(Severity.OK);
        assertThat(ClockCheck.judge(NOW, NOW.plusSeconds(5), NOW.plusSeconds(9)).severity())
                .isEqualTo(Severity.OK);
    }

    @Test
    void aClockThatIsOffIsAWarningThatSaysByHowMuch() {
        assertThat(ClockCheck.judge(NOW, NOW.minusMillis(1_500), NOW.plusMillis(2)))
                .matches(finding -> finding.severity() == Severity.WARNING)
                .matches(finding -> finding.what().contains("1500 ms behind"));
        assertThat(ClockCheck.judge(NOW, NOW.plusMillis(61_002), NOW.plusMillis(2))
                        .what())
                .contains("61000 ms ahead of");
    }

    @Test
    void roomForConnectionsCountsTheDoctorsOwnAsFree() {
        assertThat(ConnectionLimitRule.judge("max_connections", 20, 4, 16).severity())
                .isEqualTo(Severity.OK);
        assertThat(ConnectionLimitRule.judge("max_connections", 20, 5, 16).severity())
                .isEqualTo(Severity.WARNING);
        assertThat(ConnectionLimitRule.judge("max_connections", 15, 1, 16).severity())
                .isEqualTo(Severity.ERROR);
    }
}
