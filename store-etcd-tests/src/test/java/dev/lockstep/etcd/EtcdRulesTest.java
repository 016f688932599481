package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Finding.Severity;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor thinks of what it sees. */
class EtcdRulesTest {
    @ParameterizedTest
    @CsvSource({
        "3.3.27, ERROR",
        "3.4.23, WARNING",
        "3.4.31, WARNING",
        "3.4.38, OK",
        "3.5.12, WARNING",
        "3.5.13, WARNING",
        "3.5.23, OK",
        "3.6.0, OK",
        "4.0.0-rc.1, OK",
        "unknown, WARNING"
    })
    @DisplayName("versions with faults that concern leases are named")
    void versions(String version, Severity expected) {
        assertThat(EtcdRules.version("The member", version).severity()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1, WARNING", "2, WARNING", "3, OK", "4, WARNING", "5, OK"})
    @DisplayName("a cluster has an odd number of members, and at least three")
    void members(int count, Severity expected) {
        assertThat(EtcdRules.members(count).severity()).isEqualTo(expected);
    }

    @Test
    @DisplayName("an alarm is an error, and none is in order")
    void alarms() {
        assertThat(EtcdRules.alarms(Set.of("NOSPACE", "CORRUPT")))
                .extracting(each -> each.severity())
                .containsExactly(Severity.ERROR, Severity.ERROR);
        assertThat(EtcdRules.alarms(Set.of()))
                .extracting(each -> each.severity())
                .containsExactly(Severity.OK);
    }

    @Test
    @DisplayName("passwords in the clear are warned of, except on this machine")
    void tls() {
        assertThat(EtcdRules.tls(false, false).severity()).isEqualTo(Severity.WARNING);
        assertThat(EtcdRules.tls(false, true).severity()).isEqualTo(Severity.OK);
        assertThat(EtcdRules.tls(true, false).severity()).isEqualTo(Severity.OK);
    }
}
