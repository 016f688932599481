package dev.lockstep.jdbc;

import static dev.lockstep.jdbc.Doctors.execute;
import static dev.lockstep.testkit.Diagnoses.assertFound;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Troubles of PostgreSQL, each really made on a server of the test's own. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoctorPostgresTest {
    private PrivateServer server;
    private DataSource dataSource;

    @BeforeAll
    void start() throws SQLException {
        server = TestServers.startPostgres("-c", "max_connections=30", "-c", "max_locks_per_transaction=10");
        dataSource = Databases.of(server);
        execute(dataSource, "CREATE ROLE plain LOGIN", "CREATE ROLE few LOGIN CONNECTION LIMIT 3");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private DataSource as(String user, Map<String, String> params) {
        return new DriverManagerDataSource(server.jdbcUrl(params), user, "");
    }

    @Test
    void aStandbyIsAnError() throws IOException {
        try (PrivateServer standby = TestServers.startPostgres()) {
            assertThat(Doctors.of(ServerKind.POSTGRES, Databases.of(standby))
                            .examine()
                            .isHealthy())
                    .isTrue();
            standby.stop();
            Files.createFile(standby.directory().resolve("data/standby.signal"));
            standby.restart();

            assertOnlyError(
                    Doctors.of(ServerKind.POSTGRES, Databases.of(standby)).examine(),
                    "standby",
                    "have no effect",
                    "Connect to the primary");
        }
    }

    @Test
    void aSmallLockTableIsAWarning() {
        assertFound(
                Doctors.of(ServerKind.POSTGRES, dataSource).examine(),
                Severity.WARNING,
                "about 300 locks",
                "16 leases of 100 keys",
                "max_locks_per_transaction");
    }

    @Test
    void connectionsOfThePlainUserAreFewerThanThoseOfTheSuperuser() {
        assertOnlyError(
                Doctors.of(ServerKind.POSTGRES, as("plain", Map.of()))
                        .connections(28)
                        .examine(),
                "less the reserved ones is 27");
        assertThat(Doctors.of(ServerKind.POSTGRES, dataSource)
                        .connections(28)
                        .examine()
                        .errors())
                .isEmpty();
    }

    @Test
    void aLimitOnTheRolesConnectionsCounts() {
        assertOnlyError(
                Doctors.of(ServerKind.POSTGRES, as("few", Map.of())).examine(), "CONNECTION LIMIT of the role is 3");
    }

    @Test
    void aPlainUserLearnsWhatIsNotSeen() {
        assertFound(
                Doctors.of(ServerKind.POSTGRES, as("plain", Map.of())).examine(),
                Severity.OK,
                "same database user",
                "pg_read_all_stats");
    }

    @Test
    void settingsOfTheRoleAreToldApartFromThoseOfTheStore() throws SQLException {
        execute(
                dataSource,
                "CREATE ROLE odd LOGIN",
                "ALTER ROLE odd SET statement_timeout = '7s'",
                "ALTER ROLE odd SET transaction_timeout = '9s'",
                "ALTER ROLE odd SET default_transaction_isolation = 'serializable'",
                "ALTER ROLE odd SET default_transaction_read_only = on");
        Diagnosis diagnosis = Doctors.of(ServerKind.POSTGRES, as("odd", Map.of()))
                .connections(5)
                .examine();

        assertThat(diagnosis.errors()).as("%s", diagnosis).isEmpty();
        assertFound(diagnosis, Severity.OK, "statement_timeout = 7000 ms, transaction_timeout = 9000 ms");
        assertFound(diagnosis, Severity.OK, "serializable", "lock before anything is read");
        assertFound(diagnosis, Severity.WARNING, "default_transaction_read_only");
    }

    @Test
    void aPoolerIsAWarning() throws IOException {
        assertFound(Doctors.of(ServerKind.POSTGRES, dataSource).examine(), Severity.OK, "No pooler is between");
        try (LyingRelay relay = LyingRelay.before(server.port())) {
            String url = server.jdbcUrl().replace(":" + server.port(), ":" + relay.port());
            DataSource pooled = new DriverManagerDataSource(url, server.user(), server.password());

            assertFound(
                    Doctors.of(ServerKind.POSTGRES, pooled).examine(),
                    Severity.WARNING,
                    "PgBouncer",
                    "pool_mode = session");
        }
    }

    @Test
    void aSocketTimeoutAndSeveralHostsAreSeenInTheUrl() {
        assertFound(
                Doctors.of(ServerKind.POSTGRES, as("postgres", Map.of("socketTimeout", "30")))
                        .examine(),
                Severity.WARNING,
                "socketTimeout");
        assertOnlyError(
                Doctors.of(ServerKind.POSTGRES, as("postgres", Map.of("loadBalanceHosts", "true")))
                        .examine(),
                "several servers");
    }
}
