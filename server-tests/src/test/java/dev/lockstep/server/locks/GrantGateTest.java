package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.server.http.Problem;
import dev.lockstep.server.locks.restart.GrantGate;
import dev.lockstep.server.locks.restart.GrantGate.Name;
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
    void grantsNothingWhileItsNameIsMissingOrAnotherServerHasIt() {
        GrantGate gate = new GrantGate(clock, Duration.ZERO);
        assertThat(gate.name(Name.TAKEN)).isTrue();
        assertThat(gate.name(Name.TAKEN)).as("known before").isFalse();
        assertThatThrownBy(gate::requireOpen).hasMessageContaining("node-name-taken");
        assertThat(gate.withoutName().orElseThrow()).contains("Another server");
        gate.name(Name.MISSING);
        assertThatThrownBy(gate::requireOpen).hasMessageContaining("store-unavailable");
        assertThat(gate.withoutName().orElseThrow()).contains("does not hold its name");
        gate.name(Name.HELD);
        assertThatCode(gate::requireOpen).doesNotThrowAnyException();
        assertThat(gate.withoutName()).isEmpty();
    }

    @Test
    void withoutItsNameItSaysWhenTheStoreGrantsAgain() {
        GrantGate gate = new GrantGate(clock, Duration.ZERO);
        gate.name(Name.MISSING);
        gate.paused(Duration.ofMillis(7_500));
        assertThatThrownBy(gate::requireOpen).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.getHeaders().getFirst("Retry-After")).isEqualTo("8");
            assertThat(problem.getBody().getProperties())
                    .containsEntry("grantsFrom", clock.instant().plusMillis(7_500));
        });
    }

    @Test
    void aClosedOneStaysClosed() {
        GrantGate gate = new GrantGate(clock, Duration.ZERO);
        gate.requireOpen();
        gate.close();
        assertThatThrownBy(gate::requireOpen).hasMessageContaining("shutting-down");
    }
}
