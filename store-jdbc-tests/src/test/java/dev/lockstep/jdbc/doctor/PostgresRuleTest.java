package dev.lockstep.jdbc.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How given settings are judged. */
class PostgresRuleTest {
    private static final Map<String, String> FIT = Map.of(
            "in_recovery", "false",
            "is_superuser", "off",
            "max_connections", "100",
            "superuser_reserved_connections", "3",
            "used_connections", "10",
            "role_limit", "-1",
            "database_limit", "-1",
            "max_locks_per_transaction", "64",
            "default_transaction_isolation", "read committed",
            "sees_all", "true");

    private static List<Finding> judge(int connections, String... changes) {
        Map<String, String> facts = new HashMap<>(FIT);
        for (int i = 0; i < changes.length; i += 2) {
            facts.put(changes[i], changes[i + 1]);
        }
        return PostgresRule.judge(new Facts(facts), connections);
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
    void theDefaultsAreInOrder() {
        assertThat(judge(16)).isNotEmpty().allMatch(finding -> finding.severity() == Severity.OK);
    }

    @Test
    void aStandbyIsAnError() {
        assertOne(judge(16, "in_recovery", "true"), Severity.ERROR, "standby", "Connect to the primary");
    }

    @Test
    void reservedConnectionsDoNotCountForOthers() {
        assertOne(judge(97, "max_locks_per_transaction", "999"), Severity.WARNING, "97", "too few are left now");
        assertOne(judge(98, "max_locks_per_transaction", "999"), Severity.ERROR, "there can never be enough");
        assertThat(judge(90, "max_locks_per_transaction", "999", "is_superuser", "on"))
                .allMatch(finding -> finding.severity() == Severity.OK);
    }

    @Test
    void limitsOfTheRoleAndTheDatabaseCount() {
        assertOne(judge(16, "role_limit", "5", "role_connections", "1"), Severity.ERROR, "of the role", "5");
        assertOne(
                judge(16, "database_limit", "20", "database_connections", "9"),
                Severity.WARNING,
                "of the database",
                "20",
                "9");
    }

    @Test
    void aSmallLockTableIsAWarning() {
        assertOne(judge(16, "max_locks_per_transaction", "10"), Severity.WARNING, "1,000", "max_locks_per_transaction");
    }

    @Test
    void timeoutsAreARemark() {
        assertThat(judge(16, "statement_timeout", "5000", "transaction_timeout", "60000"))
                .allMatch(finding -> finding.severity() == Severity.OK)
                .anyMatch(finding ->
                        finding.what().contains("statement_timeout = 5000 ms, transaction_timeout = 60000 ms"));
    }
}
