package dev.lockstep.jdbc;

import static dev.lockstep.jdbc.Doctors.execute;
import static dev.lockstep.testkit.Diagnoses.assertOnlyError;

import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Troubles that only MySQL has, and only its driver. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class DoctorMysqlTest {
    private TestDatabase database;
    private DataSource dataSource;

    @BeforeEach
    void provision() throws SQLException {
        database = TestServers.mysql().freshDatabase();
        dataSource = Databases.of(database);
        Provisioning.of(dataSource).kinds(Tenancy.values()).buckets(500).run();
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    private DataSource with(String name, String value) {
        return new DriverManagerDataSource(database.jdbcUrl(Map.of(name, value)), database.user(), database.password());
    }

    @Test
    void lockingNeedsTheRightToUpdate() throws SQLException {
        String user = "reader_" + database.name();
        execute(
                dataSource,
                "CREATE USER " + user + " IDENTIFIED BY 'secret'",
                "GRANT SELECT ON " + database.name() + ".* TO " + user);
        try {
            assertOnlyError(
                    Doctors.of(ServerKind.MYSQL, new DriverManagerDataSource(database.jdbcUrl(), user, "secret"))
                            .examine(),
                    "can't be locked FOR UPDATE",
                    "denied",
                    "GRANT SELECT, UPDATE ON hier_lock_buckets");
        } finally {
            execute(dataSource, "DROP USER " + user);
        }
    }

    @Test
    void connectionsThatAreReadOnlyCanNotLock() {
        assertOnlyError(
                Doctors.of(ServerKind.MYSQL, with("sessionVariables", "transaction_read_only=ON"))
                        .examine(),
                "can't be locked FOR UPDATE",
                "aren't read-only");
    }

    @Test
    void autoReconnectIsAnError() {
        assertOnlyError(
                Doctors.of(ServerKind.MYSQL, with("autoReconnect", "true")).examine(),
                "autoReconnect=true",
                "Remove it");
    }
}
