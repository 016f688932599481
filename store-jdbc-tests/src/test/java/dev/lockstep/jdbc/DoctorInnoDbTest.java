package dev.lockstep.jdbc;

import static dev.lockstep.jdbc.Doctors.execute;
import static dev.lockstep.testkit.Diagnoses.assertFound;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Troubles of MySQL and MariaDB, each really made on a server of the test's own. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB"})
class DoctorInnoDbTest {
    @Parameter
    ServerKind kind;

    private static PrivateServer server;
    private TestDatabase database;
    private DataSource dataSource;

    @BeforeParameterizedClassInvocation
    static void start(ServerKind kind) {
        server = TestServers.start(kind);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    @BeforeEach
    void provision() throws SQLException {
        database = server.freshDatabase();
        dataSource = Databases.of(database);
        Provisioning.of(dataSource).kinds(Tenancy.values()).buckets(500).run();
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    private Diagnosis examine(DataSource source) {
        return Doctors.of(kind, source).examine();
    }

    private DataSource limitedUser(String grant) throws SQLException {
        execute(
                dataSource,
                "DROP USER IF EXISTS limited",
                "CREATE USER limited IDENTIFIED BY 'secret'",
                "GRANT " + grant + " TO limited");
        return new DriverManagerDataSource(database.jdbcUrl(), "limited", "secret");
    }

    // ---- tables

    @Test
    void databasesWithoutTablesAreNotProvisioned() throws SQLException {
        execute(
                dataSource,
                "DROP TABLE hier_lock_settings",
                "DROP TABLE hier_lock_kinds",
                "DROP TABLE hier_lock_buckets");

        Diagnosis diagnosis = examine(dataSource);
        assertFound(diagnosis, Severity.ERROR, "hier_lock_settings is missing", database.name(), "Provisioning");
        assertFound(diagnosis, Severity.ERROR, "hier_lock_kinds is missing");
    }

    @Test
    void aMissingTableIsAnError() throws SQLException {
        execute(dataSource, "DROP TABLE hier_lock_buckets");

        assertOnlyError(examine(dataSource), "hier_lock_buckets is missing", "Provisioning");
    }

    @Test
    void aTableOfAnEngineWithoutRowLocksIsAnError() throws SQLException {
        execute(dataSource, "ALTER TABLE hier_lock_buckets ENGINE = MyISAM");

        assertOnlyError(examine(dataSource), "MyISAM", "ALTER TABLE hier_lock_buckets ENGINE = InnoDB");
    }

    @Test
    void aFenceTableOfAnEngineWithoutTransactionsIsAnError() throws SQLException {
        execute(dataSource, FencingGuard.tableSql("MySQL"));
        assertFound(examine(dataSource), Severity.OK, "The table lockstep_fences is there");
        execute(
                dataSource,
                "ALTER TABLE lockstep_fences ROW_FORMAT = DEFAULT, MODIFY thing_id VARBINARY(900), ENGINE = MyISAM");

        assertOnlyError(examine(dataSource), "lockstep_fences", "MyISAM");
    }

    @Test
    void oneMissingRowIsAnError() throws SQLException {
        execute(dataSource, "DELETE FROM hier_lock_buckets WHERE level = 1 AND bucket = 77");

        assertOnlyError(examine(dataSource), "missing for 'account'", "500 each", "Provisioning");
    }

    @Test
    void manyMissingRowsOfManyAreSeenInASample() throws SQLException {
        execute(dataSource, "UPDATE hier_lock_settings SET value = '100000000' WHERE name = 'buckets'");

        assertOnlyError(examine(dataSource), "'user', 'account', 'resource'", "100,000,000 each");
    }

    @Test
    void provisioningThatWasNotFinishedIsAnError() throws SQLException {
        execute(dataSource, "UPDATE hier_lock_kinds SET filled = FALSE WHERE prefix = 'resource'");
        assertOnlyError(examine(dataSource), "not finished for 'resource'");

        execute(dataSource, "DELETE FROM hier_lock_settings");
        assertOnlyError(examine(dataSource), "hier_lock_settings is empty");
    }

    @Test
    void settingsOfAnotherVersionAreAnError() throws SQLException {
        execute(dataSource, "UPDATE hier_lock_settings SET value = 'md5' WHERE name = 'hash'");

        assertOnlyError(examine(dataSource), "settings can't be used", "md5");
    }

    @Test
    void aTableOfIdsIsExaminedToo() throws SQLException {
        try (TestDatabase other = server.freshDatabase()) {
            DataSource source = Databases.of(other);
            Provisioning.of(source).ids(List.of(Tenancy.user("u1"))).run();

            Diagnosis diagnosis = examine(source);
            assertThat(diagnosis.errors()).as("%s", diagnosis).isEmpty();
            assertFound(diagnosis, Severity.OK, "Rows of hier_locks can be locked");
        }
    }

    // ---- users

    @Test
    void theRightsThatTheDoctorAsksForAreEnoughAndSightIsPartial() throws SQLException {
        String rights = kind == ServerKind.MYSQL ? "SELECT, UPDATE" : "SELECT";
        Diagnosis diagnosis = examine(limitedUser(rights + " ON " + database.name() + ".*"));

        assertThat(diagnosis.errors()).as("%s", diagnosis).isEmpty();
        assertFound(diagnosis, Severity.WARNING, "Lock visibility is partial", "GRANT PROCESS ON *.*");
        if (kind == ServerKind.MYSQL) {
            assertFound(diagnosis, Severity.WARNING, "data_locks can't be read", "SELECT ON performance_schema.*");
        } else {
            assertFound(diagnosis, Severity.WARNING, "INNODB_TRX can't be read", "PROCESS ON *.*");
        }
    }

    @Test
    void theRightsThatTheDoctorAsksForGiveSight() throws SQLException {
        DataSource limited = limitedUser("SELECT, UPDATE ON " + database.name() + ".*");
        execute(dataSource, "GRANT PROCESS ON *.* TO limited", "GRANT SELECT ON performance_schema.* TO limited");

        assertThat(examine(limited).warnings()).hasSize(kind == ServerKind.MARIADB ? 1 : 0);
    }

    @Test
    void tablesThatTheUserMayNotSeeAreAnError() throws SQLException {
        assertFound(
                examine(limitedUser("CREATE ON " + database.name() + ".other")),
                Severity.ERROR,
                "hier_lock_settings is missing",
                "may not see it");
    }

    @Test
    void aLimitOnTheUsersConnectionsCounts() throws SQLException {
        DataSource limited = limitedUser("SELECT, UPDATE ON " + database.name() + ".*");
        execute(dataSource, "ALTER USER limited WITH MAX_USER_CONNECTIONS 4");

        assertOnlyError(examine(limited), "max_user_connections of this user is 4", "never");
        assertThat(Doctors.of(kind, limited).connections(4).examine().errors()).isEmpty();
    }

    // ---- servers and URLs

    @Test
    void aReadOnlyServerIsAnError() throws SQLException {
        DataSource limited = limitedUser("SELECT, UPDATE ON " + database.name() + ".*");
        execute(dataSource, "SET GLOBAL read_only = ON");
        try {
            assertOnlyError(examine(dataSource), "read-only (read_only)", "primary");
            assertFound(examine(limited), Severity.ERROR, "can't be locked", "primary");
        } finally {
            execute(dataSource, "SET GLOBAL read_only = OFF");
        }
    }

    @Test
    void connectionsThatOthersKeepOpenAreCounted() throws SQLException {
        try (Connection other = database.connect()) {
            assertThat(other).isNotNull();
            assertFound(
                    Doctors.of(kind, dataSource).connections(400).examine(),
                    Severity.WARNING,
                    "max_connections is 400",
                    "too few are left now");
        }
    }
}
