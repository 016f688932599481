package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("options and codes of a project lock")
class OptionsTest {
    private final Machine machine = new Machine();

    @AfterEach
    void close() {
        machine.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT0S", "PT0.009S", "PT24H0.001S", "PT2562047788015215H"})
    @DisplayName("a term out of range is refused, with what to give")
    void term(Duration odd) {
        assertThatThrownBy(() -> machine.builder().term(odd))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(odd.toString())
                .hasMessageContaining("Give 10 ms to 1 day");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT0S", "PT24H0.001S", "PT2562047788015215H"})
    @DisplayName("an extension out of range is refused, and the lease stays as it is")
    void extension(Duration odd) {
        ProjectLock lock = machine.holder();
        ProjectLease lease = lock.acquire().lease();
        assertThatThrownBy(() -> lock.renew(lease, odd))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(odd.toString())
                .hasMessageContaining("Give 10 ms to 1 day");
        assertThat(lock.state()).isEqualTo(new ProjectLockState.HoldingPlatform(lease));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.01S", "PT24H"})
    @DisplayName("the shortest and the longest term work")
    void limits(Duration term) {
        ProjectLock lock = machine.holder(term);
        ProjectLease lease = lock.acquire().lease();
        assertThat(lease.expiresAt()).isEqualTo(machine.clock.instant().plus(term));
        assertThat(lock.renew(lease, term).expiresAt()).isEqualTo(lease.expiresAt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT8760H0.001S", "PT2562047788015215H"})
    @DisplayName("a wait out of range is refused, with what to give")
    void wait(Duration odd) {
        assertThatThrownBy(() -> AcquireOptions.defaults().within(odd))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(odd.toString())
                .hasMessageContaining("Give zero");
    }

    @Test
    @DisplayName("the defaults are the source's")
    void defaults() {
        AcquireOptions options = AcquireOptions.defaults();
        assertThat(options.maxWait()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.retry().initial()).isEqualTo(Duration.ofMillis(200));
        assertThat(options.retry().multiplier()).isEqualTo(2);
        assertThat(options.retry().max()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.retry().attempts()).isEqualTo(OptionalInt.empty());
        ProjectLock lock = machine.keep(machine.builder());
        ProjectLease lease = lock.acquire().lease();
        assertThat(lease.expiresAt()).isEqualTo(machine.clock.instant().plusSeconds(15));
        assertThat(lock.renew(lease, Duration.ofSeconds(20)).expiresAt())
                .isEqualTo(machine.clock.instant().plusSeconds(20));
    }

    @ParameterizedTest
    @CsvSource({
        "PRIMARY_UNAVAILABLE, primary-unavailable, true, WARN",
        "ABORTED, aborted, false, INFO",
        "FALLBACK_OPEN_FAILED, fallback-open-failed, false, ERROR",
        "FALLBACK_READ_FAILED, fallback-read-failed, true, WARN",
        "FALLBACK_WRITE_FAILED, fallback-write-failed, true, ERROR",
        "LEASE_MISMATCH, lease-mismatch, false, ERROR",
        "LEASE_EXPIRED, lease-expired, false, WARN",
        "ACQUIRE_TIMEOUT, acquire-timeout, true, WARN"
    })
    @DisplayName("the codes, whether they are worth a retry, and how loud they are, as in the source's table")
    void codes(ProjectLockFailure failure, String text, boolean retryable, String level) {
        assertThat(failure.text()).isEqualTo(text);
        assertThat(failure.retryable()).isEqualTo(retryable);
        assertThat(failure.level()).hasToString(level);
        assertThat(new ProjectLockException(failure, "why").retryable()).isEqualTo(retryable);
    }

    @Test
    @DisplayName("no code is missing in that table")
    void allCodes() {
        assertThat(ProjectLockFailure.values()).hasSize(8);
    }
}
