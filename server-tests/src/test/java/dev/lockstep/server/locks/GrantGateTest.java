package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.server.http.Problem;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class GrantGateTest {
    private final FakeClock clock = new FakeClock();

    @Test
    void grantsNothingUntilTheTimeHasPassedOnTheMonotonicClock() {
        GrantGate gate = new GrantGate(clock, Duration.ofSeconds(60));
        assertThat(gate.grantsFrom()).contains(clock.instant().plusSeconds(60));
        clock.jumpWallClock(Duration.ofHours(1));
        clock.advance(Duration.ofMillis(59_999));
        assertThatThrownBy(gate::requireOpen).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.getStatusCode().value()).isEqualTo(503);
            assertThat(problem.getBody().getProperties())
                    .containsEntry("code", "starting-up")
                    .containsEntry("retryable", true);
            assertThat(problem.getHeaders().getFirst("Retry-After")).isEqualTo("1");
        });
        clock.advance(Duration.ofMillis(1));
        assertThatCode(gate::requireOpen).doesNotThrowAnyException();
        assertThat(gate.grantsFrom()).isEmpty();
    }

    @Test
    void knowsHowLongTheStoreGrantsNothingUntilItGrants() {
        GrantGate gate = new GrantGate(clock, Duration.ZERO);
        gate.paused(Duration.ofSeconds(20));
        clock.advance(Duration.ofSeconds(5));
        assertThat(gate.grantsFrom()).contains(clock.instant().plusSeconds(15));
        assertThatCode(gate::requireOpen).as("the store decides").doesNotThrowAnyException();
        gate.granted();
        assertThat(gate.grantsFrom()).isEmpty();
        gate.paused(Duration.ofSeconds(20));
        clock.advance(Duration.ofSeconds(20));
        assertThat(gate.grantsFrom()).isEmpty();
    }

    @Test
    void grantsNothingWhileAnotherServerHasItsName() {
        GrantGate gate = new GrantGate(clock, Duration.ZERO);
        assertThat(gate.nameTaken(true)).isTrue();
        assertThat(gate.nameTaken(true)).as("known before").isFalse();
        assertThatThrownBy(gate::requireOpen).hasMessageContaining("node-name-taken");
        gate.nameTaken(false);
        assertThatCode(gate::requireOpen).doesNotThrowAnyException();
    }

    @Test
    void aClosedOneStaysClosed() {
        GrantGate gate = new GrantGate(clock, Duration.ZERO);
        gate.requireOpen();
        gate.close();
        assertThatThrownBy(gate::requireOpen).hasMessageContaining("shutting-down");
    }
}
