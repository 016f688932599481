package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.testkit.Tenancy;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers' error numbers as typed errors. {@link FencingGuardConcurrencyTest} has real servers report these. */
class ErrorNumbersTest {
    @ParameterizedTest
    @CsvSource({
        "1205, 41000, TIMEOUT",
        "1205, HY000, TIMEOUT",
        "3572, HY000, TIMEOUT",
        "1213, 40001, DEADLOCK",
        "0, 55P03, TIMEOUT",
        "0, 40P01, DEADLOCK",
    })
    void lockTimeoutsAndDeadlocksAreTypedAndRetryable(int number, String state, ErrorCode code) {
        SQLException reported = new SQLException("as the server says", state, number);
        LockException error = DatabaseErrors.of(reported, "Locking", List.of(Tenancy.user("u1")));
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.retryable()).isTrue();
        assertThat(error.keys()).containsExactly(Tenancy.user("u1"));
        assertThat(error).hasCause(reported).hasMessageContainingAll("as the server says", "ry again");
    }

    @ParameterizedTest
    @CsvSource({"1146, 42S02", "1045, 28000", "0, 42P01", "0, 28P01", "1064, 42000"})
    void whatTheSameCallCannotOvercomeIsNotRetryable(int number, String state) {
        LockException error = DatabaseErrors.of(new SQLException("as the server says", state, number), "Locking");
        assertThat(error.code()).isEqualTo(ErrorCode.STORE_FAILED);
        assertThat(error.retryable()).isFalse();
    }
}
