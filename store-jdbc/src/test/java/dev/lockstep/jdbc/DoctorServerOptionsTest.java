package dev.lockstep.jdbc;

import static dev.lockstep.testkit.Diagnoses.assertFound;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Diagnosis;
import dev.lockstep.core.Finding.Severity;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that were started wrongly, and servers that were stopped. */
@Tag("slow")
@Tag("once")
@Timeout(120)
class DoctorServerOptionsTest {
    private static final String CONSUMER = "performance-schema-consumer-events-statements-current";

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void optionsThatBreakLocksOrTokensAreErrors(ServerKind kind) {
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
            assertFound(diagnosis, Severity.WARNING, "performance_schema is OFF", "Sight is partial");
            assertFound(diagnosis, Severity.OK, "SERIALIZABLE");
        }
    }

    @Test
    void mariadbShowsWhoHoldsOnlyWhenItKeepsTheCurrentStatements() {
        try (PrivateServer server = TestServers.startMariadb("--performance-schema=ON")) {
            assertFound(
                    Doctor.mariadb(Databases.of(server)).examine(),
                    Severity.WARNING,
                    "doesn't keep the current statements",
                    CONSUMER + "=ON");
        }
        try (PrivateServer server = TestServers.startMariadb("--performance-schema=ON", "--" + CONSUMER + "=ON")) {
            assertThat(Doctor.mariadb(Databases.of(server)).examine().warnings())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void aServerThatWasStoppedIsOneFinding(ServerKind kind) {
        try (PrivateServer server = TestServers.start(kind)) {
            DataSource dataSource = Databases.of(server);
            server.stop();
            Diagnosis diagnosis = Doctors.of(kind, dataSource).examine();

            assertOnlyError(diagnosis, "No connection to the database", "Check that the server runs");
            assertThat(diagnosis.findings()).hasSize(1);
        }
    }
}
