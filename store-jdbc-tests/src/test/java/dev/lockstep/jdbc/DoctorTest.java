package dev.lockstep.jdbc;

import static dev.lockstep.testkit.Diagnoses.assertFound;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What the doctor finds on each real server alike. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource
class DoctorTest {
    @Parameter
    Server server;

    private ServerKind kind;
    private LockDatabase locks;
    private TestDatabase database;
    private DataSource dataSource;

    @BeforeEach
    void begin() throws SQLException {
        kind = server.kind();
        locks = LockDatabase.on(server);
        database = locks.database();
        dataSource = locks.dataSource();
    }

    @AfterEach
    void end() throws SQLException {
        locks.close();
    }

    @Test
    void aServerAsItComesIsHealthy() {
        Diagnosis diagnosis = Doctors.of(kind, dataSource).examine();

        assertThat(diagnosis.errors()).as("%s", diagnosis).isEmpty();
        assertThat(diagnosis.findings()).as("%s", diagnosis).hasSizeGreaterThan(6);
        assertThat(diagnosis.warnings())
                .as("only MariaDB comes without a performance schema")
                .hasSize(kind == ServerKind.MARIADB ? 1 : 0);
    }

    @Test
    void aServerThatFallsSilentInTheMiddleDelaysNoCaller() {
        try (TcpProxy proxy = TcpProxy.to(database.server())) {
            DataSource silent =
                    new DriverManagerDataSource(database.jdbcUrl(proxy), database.user(), database.password()) {
                        @Override
                        public Connection getConnection() throws SQLException {
                            Connection connection = super.getConnection();
                            proxy.freeze();
                            return connection;
                        }
                    };
            Diagnosis diagnosis = Doctors.of(kind, silent)
                    .responseTimeout(Duration.ofMillis(500))
                    .examine();

            assertThat(diagnosis.isHealthy()).as("%s", diagnosis).isFalse();
        }
    }

    @Test
    void aServerThatDoesNotAnswerAtAllDelaysNoCaller() {
        try (TcpProxy proxy = TcpProxy.to(database.server())) {
            proxy.freeze();
            Diagnosis diagnosis = Doctors.of(
                            kind,
                            new DriverManagerDataSource(database.jdbcUrl(proxy), database.user(), database.password()))
                    .responseTimeout(Duration.ofMillis(500))
                    .examine();

            assertThat(diagnosis.isHealthy()).as("%s", diagnosis).isFalse();
        }
    }

    @Test
    void lookingLocksNothingAndWaitsForNoLock() throws SQLException {
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(
                    kind == ServerKind.POSTGRES
                            ? "SELECT pg_advisory_xact_lock(1)"
                            : "SELECT COUNT(*) FROM hier_lock_buckets FOR UPDATE");
            assertThat(Doctors.of(kind, dataSource).examine().errors()).isEmpty();
            other.rollback();
        }
    }

    @Test
    void theConnectionComesBackAsItWas() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            SingleConnectionDataSource single = new SingleConnectionDataSource(connection, true);

            assertThat(Doctors.of(kind, single).examine().errors()).isEmpty();

            assertThat(connection.getAutoCommit()).isFalse();
            connection.rollback();
        }
    }

    @Test
    void theDoctorOfAnotherProductSaysWhichOneItIs() {
        Stream.of(ServerKind.MYSQL, ServerKind.MARIADB, ServerKind.POSTGRES)
                .filter(other -> other != kind)
                .forEach(other -> {
                    Diagnosis diagnosis = Doctors.of(other, dataSource).examine();

                    assertOnlyError(diagnosis, "The server is", "was asked for", "Use ");
                    assertThat(diagnosis.findings()).hasSize(1);
                });
    }

    @Test
    void tooManyConnectionsAreAnErrorBeforeTheyAreOpened() {
        assertOnlyError(
                Doctors.of(kind, dataSource).connections(9_999).examine(),
                "max_connections",
                "9999",
                "lower connections()");
    }

    @Test
    void aClockThatIsOffIsAWarning() {
        Clock late = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(-90));

        assertFound(
                Doctors.of(kind, dataSource).clock(late).examine(), Severity.WARNING, "ahead of this machine's", "NTP");
    }

    // ---- no connection

    @Test
    void aWrongPasswordIsOneFinding() throws SQLException {
        String user = "doctor" + Long.toString(System.nanoTime(), 36);
        String refused = kind == ServerKind.POSTGRES ? "nobody_" + user : user;
        assertUnreachable(
                new DriverManagerDataSource(database.jdbcUrl(), refused, "wrong"), "Check the user and the password");
    }

    @Test
    void aDatabaseThatIsNotThereIsOneFinding() {
        String url = database.jdbcUrl().replace(database.name(), "not_there");
        assertUnreachable(
                new DriverManagerDataSource(url, database.user(), database.password()), "the name of the database");
    }

    @Test
    void aPortWhereNothingListensIsOneFinding() {
        String url = database.jdbcUrl().replace(":" + database.server().port(), ":1");
        assertUnreachable(
                new DriverManagerDataSource(url, database.user(), database.password()), "Check that the server runs");
    }

    @Test
    void anExhaustedPoolIsOneFinding() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource); // with a URL the pool limits the logins of the whole JVM to a second
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(250);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            assertThat(Doctors.of(kind, pool).examine().errors()).isEmpty();
            try (Connection taken = pool.getConnection()) {
                assertThat(taken).isNotNull();
                assertUnreachable(pool, "raise the pool's size");
            }
        }
    }

    private void assertUnreachable(DataSource unreachable, String wayOut) {
        Diagnosis diagnosis = Doctors.of(kind, unreachable).examine();

        assertOnlyError(diagnosis, "No connection to the database", wayOut);
        assertThat(diagnosis.findings()).hasSize(1);
    }
}
