package dev.lockstep.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.fallback.FallbackState.Grants;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

@Tag("once")
class PairHealthTest {
    private static Health health(String doctor, Grants grants) {
        FallbackState state = new FallbackState(
                "redis", "postgresql", false, 7, grants, Duration.ofMillis(12), true, grants == Grants.YES);
        Health.Builder health = new Health.Builder().status(doctor);
        PairHealth.of(() -> state).tell(health);
        return health.build();
    }

    @ParameterizedTest
    @CsvSource({
        "UP, YES, UP",
        "UP, FENCED, UP",
        "UP, QUIET, OUT_OF_SERVICE",
        "UP, STOPPED, OUT_OF_SERVICE",
        "DOWN, YES, DOWN",
        "DOWN, STOPPED, DOWN"
    })
    @DisplayName("what grants is up, what doesn't is out of service, and what the doctor calls down stays so")
    void status(String doctor, Grants grants, String expected) {
        assertThat(health(doctor, grants).getStatus()).isEqualTo(new Status(expected));
    }

    @Test
    @DisplayName("only continuing without the secondary is reported with a warning")
    void warning() {
        assertThat(health("UP", Grants.FENCED).getDetails().get("fallback").toString())
                .contains("active=redis", "epoch=7", "warning=postgresql can't be reached");
        assertThat(health("UP", Grants.YES).getDetails().get("fallback").toString())
                .doesNotContain("warning");
    }

    @Test
    @DisplayName("a pair that refuses for good is down, with the reason")
    void refused() {
        Health.Builder health = new Health.Builder().up();
        PairHealth.of(() -> {
                    throw new InvalidRequestException("The register was changed from outside");
                })
                .tell(health);
        assertThat(health.build().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.build().getDetails().get("fallback").toString()).contains("changed from outside");
    }
}
