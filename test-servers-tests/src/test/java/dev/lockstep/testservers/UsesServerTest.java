package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

@Tag("once")
@UsesServer(ServerKind.POSTGRES)
class UsesServerTest {
    private static final Set<String> NAMES = new HashSet<>();

    @BeforeAll
    static void theServerRuns(TestServer server) throws SQLException {
        try (Connection connection = server.connect()) {
            assertThat(Sql.number(connection, "SELECT 42")).isEqualTo(42);
        }
    }

    @RepeatedTest(2)
    void eachTestGetsADatabaseOfItsOwn(TestDatabase database) throws SQLException {
        NAMES.add(database.name());
        try (Connection connection = database.connect()) {
            Sql.execute(connection, "CREATE TABLE t (id INT PRIMARY KEY)");
        }
    }

    @AfterAll
    static void theirDatabasesAreGone(TestServer server) throws SQLException {
        assertThat(NAMES).hasSize(2);
        try (Connection connection = server.connect()) {
            for (String name : NAMES) {
                String count = "SELECT count(*) FROM pg_database WHERE datname = '" + name + "'";
                assertThat(Sql.number(connection, count)).isZero();
            }
        }
    }

    @Test
    void isTaggedSlow(TestInfo info) {
        assertThat(info.getTags()).contains("slow");
    }

    @Nested
    class InANestedClass {
        @Test
        void aTestMayHaveAServerOfItsOwn(PrivateServer own, TestServer shared) {
            assertThat(own.kind()).isEqualTo(shared.kind());
            assertThat(own.port()).isNotEqualTo(shared.port());
        }
    }
}
