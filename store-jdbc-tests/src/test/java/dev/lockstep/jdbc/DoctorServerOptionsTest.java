package dev.lockstep.jdbc;

import static dev.lockstep.testkit.Diagnoses.assertFound;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that were started wrongly, and servers that were stopped. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class DoctorServerOptionsTest {
    private static final String CONSUMER = "performance-schema-consumer-events-statements-current";

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void optionsThatBreakLocksOrTokensAreErrorsAndAStoppedServerIsOneFinding(ServerKind kind) {
        try (PrivateServer server = TestServers.start(
                kind,
                "--innodb-rollback-on-timeout=ON",
                "--sysdate-is-now",
                "--innodb-deadlock-detect=OFF",
                "--performance-schema=OFF",
                "--transaction-isolation=SERIALIZABLE")) {
            DataSource dataSource = Databases.of(server);
            Provisioning.of(dataSource).kinds(Tenancy.values()).buckets(500).run();
            Diagnosis diagnosis = Doctors.of(kind, dataSource).examine();

            assertFound(diagnosis, Severity.ERROR, "innodb_rollback_on_timeout is ON", "OFF, which is the default");
            assertFound(diagnosis, Severity.ERROR, "sysdate-is-now", "lower token");
            assertThat(diagnosis.errors()).as("%s", diagnosis).hasSize(2);
            assertFound(diagnosis, Severity.WARNING, "innodb_deadlock_detect is OFF");
            assertFound(diagnosis, Severity.WARNING, "performance_schema is OFF", "Lock visibility is partial");
            assertFound(diagnosis, Severity.OK, "SERIALIZABLE");
            assertOneFindingWhenStopped(kind, server);
        }
    }

    @Test
    void mariadbShowsWhoHoldsOnlyWhenItKeepsTheCurrentStatements() throws SQLException {
        try (PrivateServer server = TestServers.startMariadb("--performance-schema=ON", "--" + CONSUMER + "=ON")) {
            DataSource dataSource = Databases.of(server);
            assertThat(Doctors.of(ServerKind.MARIADB, dataSource).examine().warnings())
                    .isEmpty();
            Doctors.execute(
                    dataSource,
                    "UPDATE performance_schema.setup_consumers SET ENABLED = 'NO'"
                            + " WHERE NAME = 'events_statements_current'");
            assertFound(
                    Doctors.of(ServerKind.MARIADB, dataSource).examine(),
                    Severity.WARNING,
                    "doesn't keep the current statements",
                    CONSUMER + "=ON");
        }
    }

    @Test
    void aStoppedPostgresServerIsOneFinding() {
        try (PrivateServer server = TestServers.startPostgres()) {
            assertOneFindingWhenStopped(ServerKind.POSTGRES, server);
        }
    }

    private static void assertOneFindingWhenStopped(ServerKind kind, PrivateServer server) {
        DataSource dataSource = Databases.of(server);
        server.stop();
        Diagnosis diagnosis = Doctors.of(kind, dataSource).examine();

        assertOnlyError(diagnosis, "No connection to the database", "Check that the server runs");
        assertThat(diagnosis.findings()).hasSize(1);
    }
}
