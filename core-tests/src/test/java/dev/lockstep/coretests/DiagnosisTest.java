package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.core.spi.ClockOffset;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What doctors of stores have in common. */
class DiagnosisTest {
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

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

    @Test
    void aReasonIsOneLineWithOneFullStop() {
        assertThat(Finding.reason(new IllegalStateException("no\n  room"))).isEqualTo("no room.");
        assertThat(Finding.reason(new IllegalStateException("no room."))).isEqualTo("no room.");
    }

    @Test
    void clocksAreOnlyAsFarApartAsTheQuestionLetsBeKnown() {
        assertThat(ClockOffset.between(NOW, NOW.plusSeconds(5), NOW.plusSeconds(9)))
                .hasToString("The server's clock is 0 ms ahead of this machine's.");
        assertThat(ClockOffset.between(NOW, NOW.minusMillis(1_500), NOW.plusMillis(2)))
                .hasToString("The server's clock is 1500 ms behind this machine's.");
        assertThat(ClockOffset.between(NOW, NOW.plusMillis(61_002), NOW.plusMillis(2)))
                .hasToString("The server's clock is 61000 ms ahead of this machine's.");
    }

    @Test
    void factsThatAreMissingAreNeitherOnNorOff() {
        Facts facts = new Facts(Map.of("on", "yes", "off", "NO", "count", "12", "odd", "12 MB"));

        assertThat(facts.isOn("on")).isTrue();
        assertThat(facts.isOff("off")).isTrue();
        assertThat(facts.isOn("missing") || facts.isOff("missing")).isFalse();
        assertThat(facts.number("count")).isEqualTo(12);
        assertThat(facts.number("odd")).isZero();
    }
}
