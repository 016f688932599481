package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.jdbc.Finding.Severity;
import dev.lockstep.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** What the tests of the doctor have in common. */
final class Doctors {
    private Doctors() {}

    static Doctor of(ServerKind kind, DataSource dataSource) {
        return switch (kind) {
            case MYSQL -> Doctor.mysql(dataSource);
            case MARIADB -> Doctor.mariadb(dataSource);
            default -> Doctor.postgresql(dataSource);
        };
    }

    /** There is such a finding, with all these words. */
    static void assertFound(Diagnosis diagnosis, Severity severity, String... words) {
        assertThat(diagnosis.findings())
                .as("%s", diagnosis)
                .anyMatch(finding -> finding.severity() == severity
                        && List.of(words).stream().allMatch(finding.toString()::contains));
    }

    /** There is such an error, with all these words, and no other. */
    static void assertOnlyError(Diagnosis diagnosis, String... words) {
        assertFound(diagnosis, Severity.ERROR, words);
        assertThat(diagnosis.errors()).as("%s", diagnosis).hasSize(1);
        assertThat(diagnosis.isHealthy()).isFalse();
    }

    static void execute(DataSource dataSource, String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
