package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.testkit.Tenancy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What provisioning does with the connections that it borrows. */
class ProvisioningConnectionTest extends ProvisioningStage {
    @Test
    void theConnectionComesBackAsItWas() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            Provisioning.of(new SingleConnectionDataSource(connection, true))
                    .kinds(Tenancy.USER)
                    .buckets(10)
                    .run();
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(rows("SELECT IS_FREE_LOCK(CONCAT('lockstep-provisioning-', MD5(DATABASE())))"))
                    .containsExactly("1");
        }
    }

    @Test
    void aThreadThatIsInterruptedStopsBetweenChunks() {
        List<ProvisioningProgress> heard = new ArrayList<>();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> tenancy().listener(heard::add).run())
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(heard).isEmpty();
    }

    @Test
    void aUserWhoMayNotCreateTablesCanFillThem() throws SQLException {
        tenancy().run();
        execute("DELETE FROM hier_lock_buckets WHERE bucket < 10");
        String user = "u_" + database.name().substring(2);
        execute("CREATE USER " + user + " IDENTIFIED BY 'secret'");
        try {
            execute("GRANT SELECT, INSERT, UPDATE ON " + database.name() + ".* TO " + user);
            DataSource limited = new DriverManagerDataSource(database.jdbcUrl(), user, "secret");
            assertThat(Provisioning.of(limited).run().inserted()).isEqualTo(30);
        } finally {
            execute("DROP USER " + user);
        }
    }

    @Test
    void aConnectionToNoDatabaseIsRefused() {
        String url = database.jdbcUrl().replace(database.name(), "");
        DataSource nowhere = new DriverManagerDataSource(url, database.user(), database.password());
        assertThatThrownBy(() -> Provisioning.of(nowhere).kinds(Tenancy.USER).run())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Name one in the JDBC URL");
    }
}
