package dev.lockstep.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A usual user of MySQL 8, whose password the server has not seen since it was set. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class MysqlByTheBundledDriverTest {
    private final TestServer mysql = TestServers.mysql();
    private final String user = "u" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeEach
    void createUser() throws SQLException {
        execute("CREATE USER " + user + " IDENTIFIED BY 'sesame'");
        execute("GRANT ALL ON " + mysql.database() + ".* TO " + user);
    }

    @AfterEach
    void dropUser() throws SQLException {
        execute("DROP USER " + user);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private JdbcUrl url(String parameters, String password) {
        return JdbcUrl.byMariadbsDriver(
                "jdbc:mysql://" + mysql.host() + ":" + mysql.port() + "/" + mysql.database() + parameters,
                new Credentials(Optional.of(user), Optional.of(password)));
    }

    @Test
    void logsInWithoutParameters() {
        assertThat(DatabaseProduct.of(url("", "sesame").reachable())).isEqualTo(DatabaseProduct.MYSQL);
    }

    @Test
    void saysWhatToAddWithoutTls() {
        LockException refused = refused(url("?sslMode=disable", "sesame"));
        assertThat(refused.code()).isEqualTo(ErrorCode.STORE_FAILED);
        assertThat(refused).hasMessageContainingAll("sslMode=trust", "allowPublicKeyRetrieval=true");
    }

    @Test
    void isRefusedWithAWrongPassword() {
        LockException refused = refused(url("", "wrong"));
        assertThat(refused.code()).isEqualTo(ErrorCode.STORE_FAILED);
        assertThat(refused).hasMessageContainingAll("Access denied", "Look at the name of the database");
    }

    private static LockException refused(JdbcUrl url) {
        try {
            throw new AssertionError(DatabaseProduct.of(url.reachable()) + " let it in");
        } catch (LockException e) {
            return e;
        }
    }

    @Test
    void aFullServerIsNotTakenForAMissingOne() {
        for (SQLException full : new SQLException[] {
            new SQLException("Too many connections", "08004", 1040), new SQLException("sorry", "53300", 0)
        }) {
            assertThat(JdbcUrl.failure("Connecting", full)).hasMessageContaining("raise max_connections");
        }
    }
}
