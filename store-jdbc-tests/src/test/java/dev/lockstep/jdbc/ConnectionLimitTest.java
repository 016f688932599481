package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The server gives the user no further connection. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class ConnectionLimitTest {
    private static final int LIMIT = 4;

    @ParameterizedTest
    @EnumSource
    void theServersLimitIsAClearErrorWithTheWayOut(Server server) throws SQLException {
        try (LockDatabase database = LockDatabase.on(server)) {
            String user = "u_" + database.database().name().substring(2, 12);
            execute(database, create(server, user, database.database().name()));
            try (Locks locks = LockDatabase.patient(database.store(as(user, database)))) {
                List<Lease> leases = new ArrayList<>();
                assertThatThrownBy(() -> {
                            for (int i = 0; i <= LIMIT; i++) {
                                LockRequest request = LockRequest.exclusive(Tenancy.user("u" + i));
                                leases.add(locks.acquireAsync(request).join());
                            }
                        })
                        .isInstanceOf(CompletionException.class)
                        .cause()
                        .isInstanceOfSatisfying(LockException.class, e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
                            assertThat(e.retryable()).isTrue();
                            assertThat(e).hasMessageContaining("connection").hasMessageContaining("connections()");
                        });
                assertThat(leases).hasSizeBetween(LIMIT - 1, LIMIT).allMatch(Lease::isHeld);
                leases.forEach(Lease::close);
                locks.acquire(LockRequest.exclusive(Tenancy.user("u9"))).close();
            } finally {
                execute(database, List.of("DROP USER " + user));
            }
        }
    }

    private static List<String> create(Server server, String user, String database) {
        return server == Server.POSTGRES
                ? List.of("CREATE USER " + user + " CONNECTION LIMIT " + LIMIT)
                : List.of(
                        "CREATE USER " + user + " IDENTIFIED BY 'secret' WITH MAX_USER_CONNECTIONS " + LIMIT,
                        "GRANT ALL ON " + database + ".* TO " + user);
    }

    private static DataSource as(String user, LockDatabase database) {
        return new DriverManagerDataSource(database.database().jdbcUrl(), user, "secret");
    }

    private static void execute(LockDatabase database, List<String> statements) throws SQLException {
        try (Connection admin = database.database().server().connect();
                Statement statement = admin.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
