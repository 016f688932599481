package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the examples for databases on real ones. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Isolated("what examples print is read from System.out")
class DatabaseExamplesTest {
    private static List<String> run(ServerKind kind, String example) throws Exception {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase()) {
            return ExamplesTest.run(example, url(database));
        }
    }

    static String url(TestDatabase database) {
        return database.jdbcUrl(Map.of("user", database.user(), "password", database.password()));
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void databaseLocks(ServerKind kind) throws Exception {
        List<String> lines = run(kind, "DatabaseLocks");
        assertThat(lines).hasSize(3).endsWith("paid r1");
        assertThat(lines.get(0)).matches("closed under token 0\\.\\d{16}");
        assertThat(lines.get(1)).startsWith("user:u1/account:a1 is busy: [");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void fencedWrite(ServerKind kind) throws Exception {
        assertThat(run(kind, "FencedWrite"))
                .satisfiesExactly(
                        refused -> assertThat(refused)
                                .startsWith("refused: The write to ")
                                .contains("later token"),
                        text -> assertThat(text).isEqualTo("in the table: second"));
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void locksInYourTransaction(ServerKind kind) throws Exception {
        assertThat(run(kind, "LocksInYourTransaction"))
                .containsExactly("closed a1, and no lease was granted meanwhile", "the next one has it");
    }
}
