package dev.lockstep.jdbc.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How given settings are judged. No Galera cluster and no group of several primaries runs in the tests: only their variables are given. */
class InnoDbRuleTest {
    private static final Map<String, String> FIT = Map.of(
            "read_only", "OFF",
            "super_read_only", "OFF",
            "innodb_read_only", "OFF",
            "innodb_rollback_on_timeout", "OFF",
            "innodb_deadlock_detect", "ON",
            "transaction_isolation", "READ-COMMITTED",
            "wsrep_on", "OFF",
            "wsrep_provider", "none",
            "wsrep_cluster_size", "0");

    private static List<Finding> judge(String... changes) {
        Map<String, String> facts = new HashMap<>(FIT);
        for (int i = 0; i < changes.length; i += 2) {
            facts.put(changes[i], changes[i + 1]);
        }
        return InnoDbRule.judge(new Facts(facts));
    }

    private static void assertOne(List<Finding> findings, Severity severity, String... words) {
        assertThat(findings)
                .filteredOn(finding -> finding.severity() != Severity.OK)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(severity);
                    assertThat(finding.toString()).contains(words);
                });
    }

    @Test
    void aPlainServerIsInOrder() {
        assertThat(judge()).isNotEmpty().allMatch(finding -> finding.severity() == Severity.OK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"read_only", "super_read_only", "innodb_read_only"})
    void aReadOnlyServerIsAnError(String variable) {
        assertOne(judge(variable, "ON"), Severity.ERROR, variable, "Connect to the primary");
        assertOne(judge(variable, "NO_LOCK_NO_ADMIN"), Severity.ERROR, variable);
    }

    @Test
    void aGaleraClusterIsAnErrorAndASingleNodeAWarning() {
        String provider = "/usr/lib/galera/libgalera_smm.so";
        assertOne(
                judge("wsrep_on", "ON", "wsrep_provider", provider, "wsrep_cluster_size", "3"),
                Severity.ERROR,
                "3 Galera nodes",
                "one and the same node");
        assertOne(
                judge("wsrep_on", "ON", "wsrep_provider", provider, "wsrep_cluster_size", "1"),
                Severity.WARNING,
                "Galera");
    }

    @Test
    void galeraThatIsSwitchedOnWithoutALibraryIsNone() {
        assertThat(judge("wsrep_on", "ON")).allMatch(finding -> finding.severity() == Severity.OK);
    }

    @Test
    void severalPrimariesAreAnErrorAndOnePrimaryIsNot() {
        String group = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa";
        assertOne(
                judge("group_replication_group_name", group, "group_replication_single_primary_mode", "OFF"),
                Severity.ERROR,
                "several primaries",
                "group_replication_switch_to_single_primary_mode");
        assertThat(judge("group_replication_group_name", group, "group_replication_single_primary_mode", "ON"))
                .allMatch(finding -> finding.severity() == Severity.OK);
        assertThat(judge("group_replication_group_name", "", "group_replication_single_primary_mode", "OFF"))
                .allMatch(finding -> finding.severity() == Severity.OK);
    }

    @Test
    void locksThatATimeoutTakesAwayAreAnError() {
        assertOne(judge("innodb_rollback_on_timeout", "ON"), Severity.ERROR, "innodb_rollback_on_timeout=OFF");
    }

    @Test
    void deadlocksThatNothingDetectsAreAWarning() {
        assertOne(judge("innodb_deadlock_detect", "OFF"), Severity.WARNING, "innodb_deadlock_detect = ON");
    }

    @Test
    void anotherDefaultIsolationIsARemark() {
        assertThat(judge("transaction_isolation", "REPEATABLE-READ"))
                .allMatch(finding -> finding.severity() == Severity.OK)
                .anyMatch(finding -> finding.what().contains("REPEATABLE-READ")
                        && finding.whatToDo().contains("lock before the first read"));
    }
}
