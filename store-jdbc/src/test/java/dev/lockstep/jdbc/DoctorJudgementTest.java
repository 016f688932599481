package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.jdbc.Finding.Severity;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How clocks and numbers of connections are judged, and what a diagnosis is. */
class DoctorJudgementTest {
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    @Test
    void clocksAgreeWithinASecondAndWithinTheTimeOfTheQuestion() {
        assertThat(ClockExam.judge(NOW, NOW, NOW).severity()).isEqualTo(Severity.OK);
        assertThat(ClockExam.judge(NOW, NOW.minusMillis(999), NOW).severity()).isEqualTo(Severity.OK);
        assertThat(ClockExam.judge(NOW, NOW.plusSeconds(5), NOW.plusSeconds(9)).severity())
                .isEqualTo(Severity.OK);
    }

    @Test
    void aClockThatIsOffIsAWarningThatSaysByHowMuch() {
        assertThat(ClockExam.judge(NOW, NOW.minusMillis(1_500), NOW.plusMillis(2)))
                .matches(finding -> finding.severity() == Severity.WARNING)
                .matches(finding -> finding.what().contains("1500 ms behind"));
        assertThat(ClockExam.judge(NOW, NOW.plusMillis(61_002), NOW.plusMillis(2))
                        .what())
                .contains("61000 ms ahead of");
    }

    @Test
    void roomForConnectionsCountsTheDoctorsOwnAsFree() {
        assertThat(ConnectionRoom.judge("max_connections", 20, 4, 16).severity())
                .isEqualTo(Severity.OK);
        assertThat(ConnectionRoom.judge("max_connections", 20, 5, 16).severity())
                .isEqualTo(Severity.WARNING);
        assertThat(ConnectionRoom.judge("max_connections", 15, 1, 16).severity())
                .isEqualTo(Severity.ERROR);
    }

    @Test
    void aDiagnosisWithoutErrorsIsHealthy() {
        Finding warning = Finding.warning("something", "do this");
        Finding error = Finding.error("worse", "do that");

        assertThat(new Diagnosis(List.of(Finding.ok("fine"), warning)).isHealthy())
                .isTrue();
        Diagnosis ill = new Diagnosis(List.of(warning, error, Finding.ok("fine")));
        assertThat(ill.isHealthy()).isFalse();
        assertThat(ill.errors()).containsExactly(error);
        assertThat(ill.warnings()).containsExactly(warning);
        assertThat(ill).hasToString("WARNING something do this\nERROR worse do that\nOK fine");
    }

    @Test
    void aTroubleWithoutAWayOutIsNoFinding() {
        assertThatThrownBy(() -> new Finding(Severity.ERROR, "bad", " ")).isInstanceOf(IllegalArgumentException.class);
    }
}
