package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.StandbySql;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The server turns read-only, as one that was a primary and now is a replica, and back. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class StandbyTest {
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void noLocksAreTakenOnAReadOnlyServer(Server server) throws SQLException {
        try (PrivateServer machine = TestServers.start(server.kind());
                LockDatabase database = LockDatabase.on(server, machine);
                Locks locks = database.patientLocks()) {
            locks.acquire(USER).close();
            readOnly(machine, "ON");
            assertThatThrownBy(() -> locks.acquire(USER)).isInstanceOfSatisfying(LockException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
                assertThat(e).hasMessageContaining("read-only").hasMessageContaining("primary");
            });
            assertThat(database.locks()).isZero();
            readOnly(machine, "OFF");
            locks.acquire(USER).close();
        }
    }

    /** As on a reader of Amazon Aurora: a locking read returns the row and locks nothing. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void noLocksAreTakenWhereInnoDbIsReadOnly(Server server) throws SQLException {
        try (PrivateServer machine = TestServers.start(server.kind())) {
            LockDatabase database = LockDatabase.on(server, machine);
            String port = ":" + machine.port() + "/";
            machine.stop();
            String data = "--datadir=" + machine.directory().resolve("data");
            try (PrivateServer reader = TestServers.start(server.kind(), data, "--innodb-read-only=ON");
                    Locks locks = LockDatabase.patient(database.store(new DriverManagerDataSource(
                            database.database().jdbcUrl().replace(port, ":" + reader.port() + "/"),
                            reader.user(),
                            reader.password())))) {
                assertThatThrownBy(() -> locks.acquire(USER)).isInstanceOfSatisfying(LockException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
                    assertThat(e).hasMessageContaining("read-only");
                });
            }
        }
    }

    /** A server that is read-only says so in a number or, since MariaDB 12, in a word. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void anySettingButOffCountsAsReadOnly(Server server) throws SQLException {
        try (Connection connection = TestServers.shared(server.kind()).connect()) {
            for (String off : List.of("0", "'OFF'")) {
                assertThat(Queries.number(connection, "SELECT " + StandbySql.isOn(off)))
                        .isZero();
            }
            for (String on : List.of("1", "'ON'", "'READ_ONLY'", "'NO_LOCK'", "'NO_LOCK_NO_ADMIN'")) {
                assertThat(Queries.number(connection, "SELECT " + StandbySql.isOn(on)))
                        .isOne();
            }
            assertThat(Queries.number(connection, "SELECT " + StandbySql.INNODB))
                    .isZero();
        }
    }

    private static void readOnly(PrivateServer machine, String on) throws SQLException {
        try (Connection admin = machine.connect();
                Statement statement = admin.createStatement()) {
            statement.execute("SET GLOBAL read_only = " + on);
        }
    }
}
