package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProvisioningScriptTest extends ProvisioningStage {
    private static final List<String> TABLES = List.of("hier_lock_settings", "hier_lock_kinds", "hier_lock_buckets");

    /** Everything that the tables hold, and how they are made. */
    private List<String> everything() throws SQLException {
        List<String> everything = new ArrayList<>();
        for (String table : TABLES) {
            everything.addAll(rows("SHOW CREATE TABLE " + table));
            everything.addAll(rows("SELECT * FROM " + table + " ORDER BY 1, 2"));
        }
        return everything;
    }

    @Test
    void itMakesTheSameTablesAsARun() throws SQLException {
        tenancy().run();
        List<String> made = everything();
        try (TestDatabase other = TestServers.shared(server).freshDatabase()) {
            dataSource = Databases.of(other);
            ScriptRunner.run(tenancy().script(), dataSource);
            assertThat(everything()).isEqualTo(made);
            assertThat(tenancy().run().inserted()).isZero();
        }
    }

    @Test
    void itRunsAsOneStringAndInATransactionToo() throws SQLException {
        String url = database.jdbcUrl(Map.of("allowMultiQueries", "true"));
        try (Connection connection = DriverManager.getConnection(url, database.user(), database.password());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(tenancy().script());
            while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
                assertThat(statement.getUpdateCount()).isNotNegative();
            }
            connection.rollback();
        }
        assertThat(tenancy().missing().isEmpty()).isTrue();
    }

    @Test
    void runningItAgainMendsWhatIsMissing() throws SQLException {
        ScriptRunner.run(tenancy().script(), dataSource);
        List<String> made = everything();
        execute("DELETE FROM hier_lock_buckets WHERE bucket IN (3, 200)");
        ScriptRunner.run(tenancy().script(), dataSource);
        assertThat(everything()).isEqualTo(made);
    }

    @Test
    void itAddsKindsToThoseThatAreThere() throws SQLException {
        ScriptRunner.run(tenancy().script(), dataSource);
        ScriptRunner.run(
                Provisioning.of(dataSource)
                        .kinds(Crafts.CUBE, Crafts.DEVICE)
                        .buckets(250)
                        .script(),
                dataSource);
        assertThat(rows("SELECT prefix, level FROM hier_lock_kinds ORDER BY level"))
                .containsExactly("user 0", "account 1", "resource 2", "device 3", "cube 4");
        assertThat(Provisioning.of(dataSource).missing().isEmpty()).isTrue();
    }

    @Test
    void itFailsWhereSomethingElseIsRecorded() throws SQLException {
        tenancy().run();
        List<String> made = everything();
        assertRefused(tenancy().buckets(300));
        assertRefused(Provisioning.of(dataSource).kinds(Crafts.OTHER_USER).buckets(250));
        assertRefused(
                Provisioning.of(dataSource).kinds(Crafts.SAME_RANK_AS_ACCOUNT).buckets(250));
        assertRefused(Provisioning.of(dataSource).ids(List.of(Tenancy.user("u1"))));
        assertThat(everything()).isEqualTo(made);
    }

    private void assertRefused(Provisioning provisioning) {
        assertThatThrownBy(() -> ScriptRunner.run(provisioning.script(), dataSource))
                .isInstanceOf(SQLIntegrityConstraintViolationException.class);
    }

    @Test
    void itNeedsToKnowTheKinds() {
        assertThatThrownBy(() -> Provisioning.of(dataSource).script()).hasMessageContaining("Name them");
    }
}
